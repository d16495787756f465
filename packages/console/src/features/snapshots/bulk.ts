// @chunk found-lists: of lists that are filtered, in one project and in all of them, which few other pages need.
import { whyNot } from '@gantry/api/base/state.rules'
import { snapshotAllows } from '@gantry/api/storage/snapshot.rules'
import type { Bulk } from '#/features/found-list/SelectedBar.tsx'
import type { Snapshot } from './queries.ts'

/** What can be done with many of them; `whyNotAllowed` is why the user may not. */
export const bulkSnapshots = (whyNotAllowed: string | undefined): Bulk<Snapshot> => ({
  kind: 'snapshot',
  noun: 'snapshot',
  whyNotAllowed,
  whyNotDelete: ({ state }) => whyNot(snapshotAllows, 'delete', state),
  gone: 'Their contents are gone for good.',
  whole: { noun: 'instance snapshot', of: ({ instanceSnapshotId }) => instanceSnapshotId },
  besides: 'Disks and images created from them are kept.',
})
