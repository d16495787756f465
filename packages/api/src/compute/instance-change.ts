import { z } from 'zod'
import { TimeAndIdSortMode } from '../system/audit.ts'
import { instanceChangeSorts, instanceEvents } from './instance-change.rules.ts'
import { family, get } from '../op.ts'
import { ByteCount, maybe, Moment, named, NameOrId, pageOf, paging, Timestamp, Uuid } from '../schema.ts'

const InstanceSize = named(
  'InstanceSize',
  z.object({ ncpus: z.number().int().meta({ format: 'uint16' }), memory: ByteCount }),
)

const InstanceChange = named(
  'InstanceChange',
  z.object({
    id: Uuid,
    time: Timestamp,
    event: named('InstanceEvent', z.enum(instanceEvents)),
    /** The attached, detached, added or removed object; null for a change of the instance itself. */
    object: z
      .object({
        id: Uuid,
        /** The address itself where it has no name. */
        name: z.string(),
      })
      .nullable(),
    /** Null unless the instance was resized. */
    resize: z.object({ before: InstanceSize, after: InstanceSize }).nullable(),
  }),
)
export type InstanceChange = z.infer<typeof InstanceChange>

/** A page token also carries the times. */
export const instanceChangeTokenMax = 1024

export const instanceChangeOps = family('extensions', [], {
  instanceChangeList: get('/ext/v1/instances/{instance}/changes', {
    summary: 'List what happened to an instance in a window of time: its states, its size, what was attached',
    path: z.object({ instance: NameOrId }),
    query: z.object({
      ...paging(instanceChangeTokenMax),
      project: maybe(NameOrId),
      /** Inclusive. */
      start_time: maybe(Moment),
      /** Exclusive. */
      end_time: maybe(Moment),
      sort_by: maybe(TimeAndIdSortMode),
    }),
    requiredOnFirstPage: ['start_time'],
    sorts: instanceChangeSorts,
    returns: pageOf('InstanceChange', InstanceChange),
    reads: ['instance', 'disk', 'instance-network-interface', 'external-ip', 'floating-ip'],
  }),
})
