import { z } from 'zod'
import { kinds } from '../kind.gen.ts'
import { family, get } from '../op.ts'
import { maybe, Moment, named, NameOrId, pageOf, paging, Timestamp, Uuid } from '../schema.ts'
import { ActivityDifference } from './activity.ts'
import { pastKinds, pastListKinds, pastSorts } from './past.rules.ts'

const PastKind = named('PastKind', z.enum(pastKinds))
const PastListKind = named('PastListKind', z.enum(pastListKinds))

/** An object as it was at a moment. */
const PastObject = named(
  'PastObject',
  z.object({
    id: Uuid,
    kind: PastKind,
    /** At that moment; the last one known if the object did not exist. */
    name: z.string().nullable(),
    /** By name; a reference to an object that the reader may see is its name. Null if it did not exist at that moment. */
    fields: z.record(z.string(), z.unknown()).nullable(),
    /** What differs now. Empty if it did not exist at that moment, or does not exist any more. */
    differences: z.array(ActivityDifference),
    /** Whether it does not exist any more. */
    is_gone: z.boolean(),
    /** Of its next change after that moment; null if nothing changed since. */
    time_changed: Timestamp.nullable(),
  }),
)
export type PastObject = z.infer<typeof PastObject>

const at = { at: Moment }
/** A page token also carries the moment and the place. */
export const pastTokenMax = 2048

export const pastOps = family('extensions', [], {
  pastObjectView: get('/ext/v1/past/{object_id}', {
    summary: 'Show an object as it was at a moment, and what differs now',
    path: z.object({ object_id: Uuid }),
    query: z.object({ kind: PastKind, ...at }),
    returns: PastObject,
    reads: kinds,
  }),
  pastObjectList: get('/ext/v1/past', {
    summary: 'List the instances, disks or firewall rules of a project as they were at a moment',
    query: z.object({
      ...paging(pastTokenMax),
      sort_by: maybe(named('NameSortMode', z.enum(pastSorts))),
      /** The kind, the moment and the project are required, unless a page token has them. */
      kind: maybe(PastListKind),
      at: maybe(Moment),
      project: maybe(NameOrId),
      /** Of firewall rules. */
      vpc: maybe(NameOrId),
    }),
    sorts: pastSorts,
    returns: pageOf('PastObject', PastObject),
    reads: kinds,
  }),
})
