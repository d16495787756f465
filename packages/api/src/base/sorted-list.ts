import { z } from 'zod'
import { diskStates, DiskPage } from '../storage/disk.ts'
import { runStates } from '../compute/instance.rules.ts'
import { InstancePage } from '../compute/instance.ts'
import { listSorts } from './list.rules.ts'
import { nameMaxLength } from './name.rules.ts'
import { family, get, type Kind } from '../op.ts'
import { list, maybe, Moment, named, NameOrId, paging, text } from '../schema.ts'
import { SnapshotPage, snapshotStates } from '../storage/snapshot.ts'

/** A page token also carries the filters. */
export const sortedPageTokenMax = 1024

const ListSortMode = named('ListSortMode', z.enum(listSorts))

/**
 * All objects of a kind in a project, in useful sort orders; pages have the same shape as in the plain list.
 */
const listOf = <State extends string, Page extends z.ZodType>(
  path: string,
  kind: Kind,
  states: readonly [State, ...State[]],
  returns: Page,
) =>
  get(path, {
    summary: `List ${kind}s of a project sorted and filtered`,
    query: z.object({
      ...paging(sortedPageTokenMax),
      project: maybe(NameOrId),
      sort_by: maybe(ListSortMode),
      /** Part of the name, ignoring case. */
      name: maybe(text(nameMaxLength, `expected at most ${nameMaxLength} characters`)),
      /** Any of these: repeated, or separated by commas. */
      state: maybe(list(z.enum(states))),
      /** Inclusive. */
      created_after: maybe(Moment),
      /** Exclusive. */
      created_before: maybe(Moment),
    }),
    requiredOnFirstPage: ['project'],
    sorts: listSorts,
    returns,
    reads: [kind],
  })

const noScreen = { sentBy: 'programs that sort or filter; the page shows the plain list' }

export const sortedListOps = family('extensions', [], {
  instanceSortedList: listOf('/ext/v1/instances', 'instance', runStates, InstancePage),
  diskSortedList: { ...listOf('/ext/v1/disks', 'disk', diskStates, DiskPage), noScreen },
  snapshotSortedList: { ...listOf('/ext/v1/snapshots', 'snapshot', snapshotStates, SnapshotPage), noScreen },
})
