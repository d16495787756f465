import type { supportBundleOps } from '@gantry/api/system/support-bundle'
import { fresh, id } from '../../testing/case-values.ts'
import { type CasesOf, onFleet, openly } from '../../testing/operation-case.ts'
import { addBundle } from '../../testing/support-bundles.ts'

const bundle = { path: { bundle_id: id } }
const bundleFile = { path: { ...bundle.path, file: 'jobs.json' } }

export const supportBundleCases: CasesOf<typeof supportBundleOps> = {
  supportBundleList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/experimental/v1/system/support-bundles'],
  },
  supportBundleCreate: {
    sent: { body: { user_comment: 'slow disks' } },
    rule: openly('modify', 'fleet'),
    allowed: () => ['/experimental/v1/system/support-bundles', {}],
  },
  supportBundleView: {
    sent: bundle,
    rule: onFleet('read'),
    allowed: ({ ids }) => [`/experimental/v1/system/support-bundles/${ids.bundle}`],
  },
  supportBundleUpdate: {
    sent: { ...bundle, body: { user_comment: 'slow disks' } },
    rule: onFleet('modify'),
    allowed: ({ ids }) => [
      `/experimental/v1/system/support-bundles/${ids.bundle}`,
      { user_comment: fresh() },
    ],
  },
  supportBundleDelete: {
    sent: bundle,
    rule: onFleet('modify'),
    allowed: async ({ bed }) => [`/experimental/v1/system/support-bundles/${await addBundle(bed)}`],
  },
  supportBundleDownload: {
    sent: bundle,
    rule: onFleet('read'),
    allowed: ({ ids }) => [`/experimental/v1/system/support-bundles/${ids.bundle}/download`],
  },
  supportBundleHead: {
    sent: bundle,
    rule: onFleet('read'),
    allowed: ({ ids }) => [`/experimental/v1/system/support-bundles/${ids.bundle}/download`],
  },
  supportBundleDownloadFile: {
    sent: bundleFile,
    rule: onFleet('read'),
    allowed: ({ ids }) => [`/experimental/v1/system/support-bundles/${ids.bundle}/download/jobs.json`],
  },
  supportBundleHeadFile: {
    sent: bundleFile,
    rule: onFleet('read'),
    allowed: ({ ids }) => [`/experimental/v1/system/support-bundles/${ids.bundle}/download/jobs.json`],
  },
  supportBundleIndex: {
    sent: bundle,
    rule: onFleet('read'),
    allowed: ({ ids }) => [`/experimental/v1/system/support-bundles/${ids.bundle}/index`],
  },
  supportBundleStatusList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/support-bundles'],
  },
  supportBundleDetailView: {
    sent: bundle,
    rule: onFleet('read'),
    allowed: ({ ids }) => [`/ext/v1/system/support-bundles/${ids.bundle}`],
  },
}
