import type { bulkTaggingOps } from '@gantry/api/tags/bulk-tagging'
import { atlas, id, project } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, listProject } from '@gantry/control-plane/testing/operation-case'

const body = { kind: 'disk', objects: [id], set: [{ key: 'env', value: 'prod' }] }

export const bulkTaggingCases: CasesOf<typeof bulkTaggingOps> = {
  // Each object says whether the caller may change it.
  bulkTaggingCreate: {
    sent: { query: project, body },
    rule: listProject,
    allowed: () => [`/ext/v1/bulk-taggings?${atlas}`, body],
  },
  bulkTaggingView: {
    sent: { path: { action: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/bulk-taggings/${ids.project}`],
    missing: true,
  },
  bulkTaggingCancel: {
    sent: { path: { action: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/bulk-taggings/${ids.project}/cancel`],
    missing: true,
  },
  bulkTaggingRetry: {
    sent: { path: { action: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/bulk-taggings/${ids.project}/retry`],
    missing: true,
  },
}
