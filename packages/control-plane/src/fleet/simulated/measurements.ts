import { sql } from 'kysely'
import type { Measurements } from '../fleet.ts'
import { lostSleds } from './faults.ts'
import { sledUsage, vmUsage } from './load.ts'
import type { Rack } from './rows.ts'

export const simulatedMeasurements = ({ db }: Rack): Measurements => ({
  async machines(machines, times) {
    if (machines.length === 0) return new Map()
    const running = await db
      .selectFrom('simulated_vm')
      .select('id')
      .where(sql<boolean>`id = ANY (${machines.map(({ id }) => id)}::uuid[])`)
      .where('phase', 'not in', ['off', 'crashed'])
      .execute()
    const ids = new Set(running.map(({ id }) => id))
    const at = times.map((time) => time.getTime())
    return new Map(
      machines.filter(({ id }) => ids.has(id)).map((vm) => [vm.id, vmUsage(vm, vm.since.getTime(), at)]),
    )
  },

  async hosts(hosts, times) {
    const gone = await lostSleds(db)
    const at = times.map((time) => time.getTime())
    return new Map(
      hosts
        .filter(({ id }) => !gone.has(id))
        .map(({ id, since }) => [id, sledUsage(id, since.getTime(), at)]),
    )
  },
})
