// @chunk instance-snapshot-rows: of lists and pages of instance snapshots, which few open.
import { whyNot } from '@gantry/api/base/state.rules'
import { instanceSnapshotAllows } from '@gantry/api/storage/instance-snapshot.rules'
import type { Bulk } from '#/features/found-list/SelectedBar.tsx'
import type { InstanceSnapshot } from './queries.ts'

/** What can be done with many of them; `whyNotAllowed` is why the user may not. */
export const bulkInstanceSnapshots = (whyNotAllowed: string | undefined): Bulk<InstanceSnapshot> => ({
  kind: 'instance-snapshot',
  noun: 'instance snapshot',
  whyNotAllowed,
  whyNotDelete: ({ state }) => whyNot(instanceSnapshotAllows, 'delete', state),
  gone: 'Their contents are gone for good.',
  besides: 'The snapshots of their disks are deleted with them.',
})
