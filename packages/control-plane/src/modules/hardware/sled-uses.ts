import type { SledUse } from '@gantry/api/system/hardware'
import { sledCondition } from '@gantry/api/system/hardware.rules'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { needFleet } from '../../lookup/need.ts'
import { outOfReachSince } from './out-of-reach.ts'
import { sledView } from './views.ts'

type Running = SledUse['instances'][number]

/** The whole rack in two queries: a rack has few sleds, so paging is unnecessary. */
export async function listSledUses(cx: Cx): Promise<{ items: SledUse[] }> {
  needFleet(cx, 'list_children')
  const { db } = cx
  const sleds = await db
    .selectFrom('sled')
    .innerJoin('sled_usage', 'sled_usage.sled_id', 'sled.id')
    .selectAll('sled')
    .select(['sled_usage.threads', 'sled_usage.memory'])
    .select((eb) => [
      outOfReachSince.as('lost_since'),
      eb
        .selectFrom('sled_drain')
        .select('sled_drain.id')
        .whereRef('sled_drain.sled_id', '=', 'sled.id')
        .where('sled_drain.state', '=', 'running')
        .limit(1)
        .as('drain_id'),
    ])
    .where('sled.time_deleted', 'is', null)
    // A sled that was removed for good has left its slot.
    .where('sled.state', '=', 'active')
    .orderBy('sled.rack_id')
    .orderBy('sled.cubby')
    .execute()
  const running = await runningBySled(db)
  return {
    items: sleds.map(({ threads, memory, lost_since, drain_id, ...row }) => {
      const sled = sledView(row)
      return {
        sled,
        cubby: row.cubby,
        threads: { used: threads, total: row.usable_hardware_threads * row.vcpus_per_thread },
        memory: { used: memory, total: row.reservoir_size },
        condition: sledCondition({ ...sled, isLost: lost_since !== null, isDraining: drain_id !== null }),
        lost_since: lost_since?.toISOString() ?? null,
        engine: row.engine,
        cpu_family: row.cpu_family,
        drain_id,
        instances: running.get(row.id) ?? [],
      }
    }),
  }
}

async function runningBySled(db: Reader): Promise<Map<string, Running[]>> {
  const { rows } = await sql<Running & { sled_id: string }>`
    SELECT v.sled_id, i.id, i.name, p.name AS project_name, s.name AS silo_name, i.run_state AS state, v.ncpus, v.memory,
      coalesce((SELECT json_agg(json_build_object('id', g.id, 'name', g.name) ORDER BY g.name)
        FROM anti_affinity_member m JOIN anti_affinity_group g ON g.id = m.group_id
        WHERE m.instance_id = i.id), '[]') AS anti_affinity_groups
    FROM vmm v JOIN instance i ON i.id = v.instance_id JOIN project p ON p.id = i.project_id
    JOIN silo s ON s.id = p.silo_id WHERE v.time_gone IS NULL ORDER BY s.name, p.name, i.name`.execute(db)
  const sleds = new Map<string, Running[]>()
  for (const { sled_id, ...instance } of rows) {
    const there = sleds.get(sled_id) ?? []
    there.push(instance)
    sleds.set(sled_id, there)
  }
  return sleds
}
