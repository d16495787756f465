import { z } from 'zod'
import { filteredQuery } from '../base/filtered-query.ts'
import { InstanceState } from '../compute/instance.ts'
import { family, get } from '../op.ts'
import { ByteCount, Name, named, pageOf, Timestamp, Uuid } from '../schema.ts'

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

export const fleetInstanceOps = family('extensions', [], {
  systemInstanceList: get('/ext/v1/system/instances', {
    summary: 'List the instances of all silos sorted and filtered',
    ...filteredQuery('fleet-instance', {}, {}),
    returns: pageOf('FleetInstance', FleetInstance),
    reads: ['instance', 'project', 'silo', 'sled'],
  }),
})
