import { z } from 'zod'
import { sortedPageTokenMax } from '../base/sorted-list.ts'
import { InstanceState } from '../compute/instance.ts'
import { sortsOf } from '../filter/list-kinds.rules.ts'
import { filterMaxLength } from '../filter/filter-text.rules.ts'
import { family, get } from '../op.ts'
import { ByteCount, maybe, Name, named, pageOf, paging, text, Timestamp, Uuid } from '../schema.ts'

/** What operators may see of the instances of others, as on the page of a sled. */
export const FleetInstance = named(
  'FleetInstance',
  z.object({
    id: Uuid,
    name: Name,
    silo_name: Name,
    project_name: Name,
    state: InstanceState,
    ncpus: z.number().int(),
    memory: ByteCount,
    /** Null while it has no machine. */
    sled: named('FleetInstanceSled', z.object({ id: Uuid, serial: z.string() })).nullable(),
    time_created: Timestamp,
    time_modified: Timestamp,
  }),
)
export type FleetInstance = z.infer<typeof FleetInstance>

const sorts = sortsOf('fleet-instance')

export const fleetInstanceOps = family('extensions', [], {
  systemInstanceList: get('/ext/v1/system/instances', {
    summary: 'List the instances of all silos sorted and filtered',
    query: z.object({
      ...paging(sortedPageTokenMax),
      /** Terms such as `state:failed silo:forge sled:BRM*`. */
      filter: maybe(text(filterMaxLength, `A filter has at most ${filterMaxLength} characters. Shorten it.`)),
      sort_by: maybe(z.enum(sorts)),
    }),
    sorts,
    returns: pageOf('FleetInstance', FleetInstance),
    reads: ['instance', 'project', 'silo', 'sled'],
  }),
})
