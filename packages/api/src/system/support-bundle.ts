import { z } from 'zod'
import { timeAndIdSorts } from './audit.rules.ts'
import { TimeAndIdSortMode } from './audit.ts'
import { del, family, get, head, post, put } from '../op.ts'
import { maybe, named, pageOf, pageTokenMax, paging, text, Timestamp, Uuid } from '../schema.ts'
import { bundleCommentMaxBytes, supportBundleStates } from './support-bundle.rules.ts'

const SupportBundleInfo = named(
  'SupportBundleInfo',
  z.object({
    id: Uuid,
    time_created: Timestamp,
    reason_for_creation: z.string(),
    reason_for_failure: z.string().nullable(),
    user_comment: z.string().nullable(),
    state: named('SupportBundleState', z.enum(supportBundleStates)),
  }),
)
export type SupportBundleInfo = z.infer<typeof SupportBundleInfo>

/** Longer ones are refused by the service, in the API's words. */
const Comment = maybe(text(4 * bundleCommentMaxBytes, 'User comment cannot exceed 4096 bytes'))
const count = z.number().int().nonnegative()

const SupportBundleStatus = named(
  'SupportBundleStatus',
  z.object({
    ...SupportBundleInfo.shape,
    /** Bytes of the archive; null until it is complete. */
    size: count.nullable(),
    /** Parts collected so far, and in total. */
    parts_done: count,
    parts_total: count,
  }),
)
export type SupportBundleStatus = z.infer<typeof SupportBundleStatus>
const SupportBundleDetail = named(
  'SupportBundleDetail',
  z.object({
    ...SupportBundleStatus.shape,
    /** Empty until the bundle is complete. */
    files: z.array(z.object({ path: z.string(), size: count })),
  }),
)
export type SupportBundleDetail = z.infer<typeof SupportBundleDetail>

const path = z.object({ bundle_id: Uuid })
/** Deeper and longer paths do not exist. */
const filePath = path.extend({ file: text(256, 'no file has a path longer than 256 characters') })
const list = {
  query: z.object({ ...paging(pageTokenMax), sort_by: maybe(TimeAndIdSortMode) }),
  sorts: timeAndIdSorts,
}
const bytes = { transport: 'bytes' } as const
const base = '/v1/system/support-bundles'
/** They were experimental until August 2026. */
const was = (path: string) => ({ formerPath: { path: `/experimental${path}`, until: 2026081700 } })

export const supportBundleOps = {
  ...family('experimental', ['support-bundle'], {
    supportBundleList: get(base, {
      ...was(base),
      summary: 'List support bundles',
      ...list,
      returns: pageOf('SupportBundleInfo', SupportBundleInfo),
    }),
    supportBundleCreate: post(base, {
      ...was(base),
      summary: 'Collect a support bundle',
      body: named('SupportBundleCreate', z.object({ user_comment: Comment })),
      returns: SupportBundleInfo,
    }),
    supportBundleView: get(`${base}/{bundle_id}`, {
      ...was(`${base}/{bundle_id}`),
      summary: 'Fetch a support bundle',
      path,
      returns: SupportBundleInfo,
    }),
    supportBundleUpdate: put(`${base}/{bundle_id}`, {
      ...was(`${base}/{bundle_id}`),
      summary: 'Change the comment of a support bundle',
      path,
      body: named('SupportBundleUpdate', z.object({ user_comment: Comment })),
      returns: SupportBundleInfo,
    }),
    supportBundleDelete: del(`${base}/{bundle_id}`, {
      ...was(`${base}/{bundle_id}`),
      summary: 'Delete a support bundle, or cancel its collection',
      path,
    }),
    supportBundleDownload: get(`${base}/{bundle_id}/download`, {
      ...was(`${base}/{bundle_id}/download`),
      summary: 'Download a support bundle as a zip archive',
      path,
      ...bytes,
    }),
    supportBundleHead: head(`${base}/{bundle_id}/download`, {
      ...was(`${base}/{bundle_id}/download`),
      summary: 'Fetch the size of a support bundle',
      noScreen: { sentBy: 'programs that ask for the size before they download' },
      path,
      ...bytes,
    }),
    supportBundleDownloadFile: get(`${base}/{bundle_id}/download/{file}`, {
      ...was(`${base}/{bundle_id}/download/{file}`),
      summary: 'Download one file of a support bundle',
      path: filePath,
      ...bytes,
    }),
    supportBundleHeadFile: head(`${base}/{bundle_id}/download/{file}`, {
      ...was(`${base}/{bundle_id}/download/{file}`),
      summary: 'Fetch the size of one file of a support bundle',
      noScreen: { sentBy: 'programs that ask for the size before they download' },
      path: filePath,
      ...bytes,
    }),
    supportBundleIndex: get(`${base}/{bundle_id}/index`, {
      ...was(`${base}/{bundle_id}/index`),
      summary: 'Download the paths of the files of a support bundle, one in each line',
      path,
      ...bytes,
    }),
  }),
  ...family('extensions', ['support-bundle'], {
    supportBundleStatusList: get('/ext/v1/system/support-bundles', {
      summary: 'List support bundles with their size and progress',
      ...list,
      returns: pageOf('SupportBundleStatus', SupportBundleStatus),
    }),
    supportBundleDetailView: get('/ext/v1/system/support-bundles/{bundle_id}', {
      summary: 'Fetch a support bundle with its files',
      path,
      returns: SupportBundleDetail,
    }),
  }),
}
