import type { Db } from '../../db/database.ts'
import type { Probes } from '../fleet.ts'
import { lostSleds } from './faults.ts'

export const simulatedProbes = (db: Db): Probes => ({
  async start(tx, probe) {
    await tx.plain
      .insertInto('simulated_probe')
      .values({ ...probe, time_started: tx.cx.now() })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  },

  async stop(tx, probeId) {
    await tx.plain.deleteFrom('simulated_probe').where('id', '=', probeId).execute()
  },

  async states(probeIds) {
    if (probeIds.length === 0) return new Map()
    const probes = await db
      .selectFrom('simulated_probe')
      .select(['id', 'sled_id'])
      .where('id', 'in', probeIds)
      .execute()
    const lost = await lostSleds(db)
    return new Map(probes.map(({ id, sled_id }) => [id, lost.has(sled_id) ? 'unreachable' : 'running']))
  },
})
