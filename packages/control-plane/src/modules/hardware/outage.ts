import type { FailureReason } from '@gantry/api/extensions'
import type { SledOutage } from '@gantry/api/system/hardware'
import { listedOutageInstances, type OutageOutcome, outageOutcomes } from '@gantry/api/system/hardware.rules'
import type { RunState } from '@gantry/api/compute/instance.rules'
import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { Cx } from '../../context/cx.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { outOfReachSince } from './out-of-reach.ts'

/** The instances that a sled's loss took down. Those that need an operator come first, as in the list of outcomes. */
export async function viewOutage(cx: Cx, at: Selectors): Promise<SledOutage> {
  const { row } = await need(cx, 'sled', at, 'list_children')
  const since = await lossOf(cx.db, row.id)
  if (!since) return { since: null, faults: [], outcomes: [], instances: [] }
  const faults = await cx.db
    .selectFrom('fault')
    .select('id')
    .where('sled_id', '=', row.id)
    .where('kind', '=', 'sled_lost')
    .where('time_ended', 'is', null)
    .orderBy('time_created')
    .execute()
  const taken = await takenDown(cx.db, row.id, since)
  const ranked = taken.map((each) => ({ each, outcome: outcomeOf(each) }))
  ranked.sort((one, other) => rank(one.outcome) - rank(other.outcome))
  return {
    since: since.toISOString(),
    faults: faults.map(({ id }) => id),
    outcomes: outageOutcomes.flatMap((outcome) => {
      const count = ranked.filter((one) => one.outcome === outcome).length
      return count > 0 ? [{ outcome, count }] : []
    }),
    instances: ranked.slice(0, listedOutageInstances).map(({ each, outcome }) => viewOf(each, outcome)),
  }
}

/** Since when the sled is lost, or was when it was removed for good. */
export const lossOf = async (db: Reader, sledId: string): Promise<Date | null> =>
  (
    await db
      .selectFrom('sled')
      .select(outOfReachSince.as('since'))
      .where('id', '=', sledId)
      .executeTakeFirst()
  )?.since ?? null

const rank = (outcome: OutageOutcome): number => outageOutcomes.indexOf(outcome)

interface Taken {
  id: string
  name: string
  project_name: string
  silo_name: string
  project_id: string
  silo_id: string
  state: RunState
  failure: FailureReason | null
  is_deleted: boolean
  /** Null while its machine on the lost sled has not been given up. */
  time_gone: Date | null
  since: Date
  time_back: Date | null
  time_last_auto_restarted: Date | null
  current_sled: { id: string; serial: string } | null
}

/**
 * Machines that were on the sled when it was lost, or were still sent to it, one for each instance. A sled has room for
 * few enough to read all of them.
 */
export async function takenDown(db: Reader, sledId: string, since: Date): Promise<Taken[]> {
  const { rows } = await sql<Taken>`
    SELECT i.id, i.name, p.name AS project_name, s.name AS silo_name, p.id AS project_id, s.id AS silo_id, i.run_state AS state, i.failure,
      i.time_deleted IS NOT NULL AS is_deleted, v.time_gone, greatest(v.time_created, ${since}::timestamptz) AS since,
      i.time_last_auto_restarted,
      (SELECT min(n.time_started) FROM vmm n WHERE n.instance_id = i.id AND n.time_created >= v.time_gone) AS time_back,
      (SELECT json_build_object('id', o.id, 'serial', o.serial) FROM vmm c JOIN sled o ON o.id = c.sled_id
        WHERE c.id = i.vmm_id AND c.id <> v.id) AS current_sled
    FROM (SELECT DISTINCT ON (instance_id) * FROM vmm
        WHERE sled_id = ${sledId} AND (time_gone IS NULL OR time_gone >= ${since})
        ORDER BY instance_id, time_created) v
      JOIN instance i ON i.id = v.instance_id JOIN project p ON p.id = i.project_id JOIN silo s ON s.id = p.silo_id
    ORDER BY s.name, p.name, i.name, i.id`.execute(db)
  return rows
}

function outcomeOf(taken: Taken): OutageOutcome {
  const { is_deleted, time_gone, state, time_back, time_last_auto_restarted } = taken
  if (is_deleted) return 'deleted'
  if (time_gone === null) return 'unknown'
  if (state === 'failed') return 'failed'
  if (state === 'stopped') return 'stopped'
  if (time_back === null) return 'starting'
  return time_last_auto_restarted && time_last_auto_restarted >= time_gone ? 'restarted' : 'started'
}

function viewOf(taken: Taken, outcome: OutageOutcome): SledOutage['instances'][number] {
  const { id, name, project_name, silo_name, state, failure, time_back, since, time_gone } = taken
  const isFailed = outcome === 'failed'
  return {
    id,
    name,
    project_name,
    silo_name,
    state,
    outcome,
    reason: (isFailed && failure?.message) || null,
    next_step: (isFailed && failure?.next_step) || null,
    sled: taken.current_sled,
    time_down: (time_gone ?? since).toISOString(),
    time_back: time_back?.toISOString() ?? null,
  }
}
