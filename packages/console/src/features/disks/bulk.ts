// @chunk found-lists: of lists that are filtered, in one project and in all of them, which few other pages need.
import { whyNotDelete } from './why-not-delete.ts'
import type { Bulk } from '#/features/found-list/SelectedBar.tsx'
import type { Disk } from './queries.ts'

/** What can be done with many of them; `whyNotAllowed` is why the user may not. */
export const bulkDisks = (whyNotAllowed: string | undefined): Bulk<Disk> => ({
  kind: 'disk',
  noun: 'disk',
  whyNotAllowed,
  whyNotDelete: ({ state }) => whyNotDelete(state.state),
  gone: 'Their contents are gone for good.',
  besides: 'Snapshots and images created from them are kept.',
})
