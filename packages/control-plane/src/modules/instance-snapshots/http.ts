import { listPage } from '../../list/page.ts'
import { need } from '../../lookup/need.ts'
import { implement } from '../../pipeline/implement.ts'
import { instanceView } from '../compute/instances/view.ts'
import { deleteInstanceSnapshot } from './delete.ts'
import { viewRestorePlan } from './plan.ts'
import { updateInstanceSnapshotIdentity } from './rename.ts'
import { beginRestore } from './restore/begin.ts'
import { takeInstanceSnapshot } from './take.ts'
import { createFromSnapshot } from './use.ts'
import { instanceSnapshotView } from './view.ts'

export const instanceSnapshotsHttp = implement({
  instanceSnapshotList: (cx, { query }) =>
    listPage(
      cx,
      'instance_snapshot',
      query,
      async ({ project, instance_id }) => {
        const { row } = await need(cx, 'project', { project }, 'list_children')
        return { where: { project_id: row.id, ...(instance_id && { instance_id }) } }
      },
      instanceSnapshotView,
    ),
  instanceSnapshotCreate: async (cx, { query, body }) =>
    instanceSnapshotView(await takeInstanceSnapshot(cx, query, body)),
  instanceSnapshotView: async (cx, { path, query }) =>
    instanceSnapshotView((await need(cx, 'instance_snapshot', { ...path, ...query }, 'read')).row),
  instanceSnapshotIdentityUpdate: async (cx, input) =>
    instanceSnapshotView(await updateInstanceSnapshotIdentity(cx, input)),
  instanceSnapshotDelete: (cx, { path, query }) => deleteInstanceSnapshot(cx, { ...path, ...query }),
  instanceSnapshotRestorePlan: (cx, { path, query }) => viewRestorePlan(cx, { ...path, ...query }),
  instanceSnapshotRestore: (cx, input) => beginRestore(cx, input),
  instanceSnapshotUse: async (cx, { path, query, body }) =>
    instanceView(await createFromSnapshot(cx, { ...path, ...query }, body)),
})
