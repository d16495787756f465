import { implement } from '../../pipeline/implement.ts'
import { downloadBundle, downloadFile, downloadIndex } from './download.ts'
import * as bundles from './service.ts'

export const supportBundlesHttp = implement({
  supportBundleList: (cx, { query }) => bundles.listBundles(cx, query),
  supportBundleCreate: (cx, { body }) => bundles.createBundle(cx, body.user_comment),
  supportBundleView: (cx, { path }) => bundles.viewBundle(cx, path),
  supportBundleUpdate: (cx, { path, body }) => bundles.updateBundle(cx, path, body.user_comment),
  supportBundleDelete: (cx, { path }) => bundles.deleteBundle(cx, path),
  supportBundleDownload: (cx, { path }) => downloadBundle(cx, path),
  supportBundleHead: (cx, { path }) => downloadBundle(cx, path),
  supportBundleDownloadFile: (cx, { path }) => downloadFile(cx, path),
  supportBundleHeadFile: (cx, { path }) => downloadFile(cx, path),
  supportBundleIndex: (cx, { path }) => downloadIndex(cx, path),
  supportBundleStatusList: (cx, { query }) => bundles.listStatuses(cx, query),
  supportBundleDetailView: (cx, { path }) => bundles.viewDetail(cx, path),
})
