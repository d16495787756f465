import { ops } from '@gantry/api/registry'
import type { InstanceSnapshot } from '@gantry/api/storage/instance-snapshot'
import { sql } from 'kysely'
import { filteredPage } from '../../list/filter/filtered-page.ts'
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
    filteredPage<'instance_snapshot', typeof query, InstanceSnapshot>(
      cx,
      ops.instanceSnapshotList,
      'instance-snapshot',
      query,
      instanceSnapshotView,
      ({ instance_id }) => (instance_id ? [sql`t.instance_id = ${instance_id}::uuid`] : []),
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
