import { sql } from 'kysely'

/** The vCPUs that may be reserved on a `sled`: guests rarely all compute at once, so those of hosts share threads. */
export const vcpusOfSled = sql<number>`(sled.usable_hardware_threads * sled.vcpus_per_thread)::int8`
