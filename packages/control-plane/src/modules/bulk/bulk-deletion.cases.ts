import type { bulkDeletionOps } from '@gantry/api/history/bulk-deletion'
import { atlas, id, project } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, createInProject } from '@gantry/control-plane/testing/operation-case'

export const bulkDeletionCases: CasesOf<typeof bulkDeletionOps> = {
  bulkDeletionCreate: {
    sent: { query: project, body: { kind: 'disk', objects: [id] } },
    rule: createInProject,
    allowed: () => [`/ext/v1/bulk-deletions?${atlas}`, { kind: 'disk', objects: [id] }],
  },
  bulkDeletionView: {
    sent: { path: { action: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/bulk-deletions/${ids.project}`],
    missing: true,
  },
  bulkDeletionCancel: {
    sent: { path: { action: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/bulk-deletions/${ids.project}/cancel`],
    missing: true,
  },
  bulkDeletionRetry: {
    sent: { path: { action: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/bulk-deletions/${ids.project}/retry`],
    missing: true,
  },
}
