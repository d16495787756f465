import type { snapshotOps } from '@gantry/api/storage/snapshot'
import { atlas, fresh, named, project } from '../../testing/case-values.ts'
import {
  type CasesOf,
  createInProject,
  listProject,
  modifyChild,
  readChild,
  type Given,
} from '../../testing/operation-case.ts'

export const snapshotCases: CasesOf<typeof snapshotOps> = {
  snapshotList: { sent: { query: project }, rule: listProject, allowed: () => [`/v1/snapshots?${atlas}`] },
  snapshotCreate: {
    sent: { query: project, body: { ...named, disk: 'nobody' } },
    rule: createInProject,
    allowed: () => [`/v1/snapshots?${atlas}`, { name: fresh(), description: '', disk: 'loose' }],
  },
  snapshotView: {
    sent: { path: { snapshot: 'nobody' }, query: project },
    rule: readChild,
    allowed: () => [`/v1/snapshots/snap?${atlas}`],
    addressed: [
      'snapshot',
      'snapshot',
      ['project'],
      'when providing snapshot as an ID, project should not be specified',
      'snapshot should either be an ID or project should be specified',
    ],
  },
  snapshotDelete: {
    sent: { path: { snapshot: 'nobody' }, query: project },
    rule: modifyChild,
    allowed: () => [`/v1/snapshots/snap?${atlas}`],
  },
}

export const snapshotGiven: Given = {
  snapshot: async ({ at, the, idOf }) => [`/v1/snapshots?${at}`, { ...the, disk: await idOf('disk') }],
}
