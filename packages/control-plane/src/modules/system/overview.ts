import type { SystemOverview } from '@gantry/api/system/system'
import { byCause, issueKinds } from '@gantry/api/system/system.rules'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { needFleet } from '../../lookup/need.ts'
import { isOutOfReach } from '../hardware/out-of-reach.ts'
import { capacityOf } from './capacity.ts'
import { listIssues } from './issues.ts'

/** Number of causes that the overview lists, and of effects of each. */
const causesShown = 10
const effectsShown = 5

export async function viewOverview(cx: Cx): Promise<SystemOverview> {
  needFleet(cx, 'read')
  const { items } = await listIssues(cx, { state: 'open' })
  return {
    fleet: { ...(await fleetHealth(cx.db)), is_simulated: cx.services.fleet.isSimulated },
    ...(await counts(cx.db)),
    capacity: await capacityOf(cx.db),
    issues: issueKinds.map((kind) => ({ kind, count: items.filter((issue) => issue.kind === kind).length })),
    worst: byCause(items)
      .slice(0, causesShown)
      .flatMap(({ issue, effects }) => [issue, ...effects.slice(0, effectsShown)]),
  }
}

async function fleetHealth(db: Reader): Promise<Omit<SystemOverview['fleet'], 'is_simulated'>> {
  const { rows } = await sql<Omit<SystemOverview['fleet'], 'is_simulated'>>`
    SELECT (SELECT count(*)::int8 FROM rack WHERE time_deleted IS NULL) AS racks, count(*)::int8 AS sleds,
      count(*) FILTER (WHERE lost)::int8 AS lost,
      count(*) FILTER (WHERE draining AND NOT lost)::int8 AS draining,
      count(*) FILTER (WHERE is_provisionable AND NOT draining AND NOT lost)::int8 AS provisionable,
      count(*) FILTER (WHERE NOT is_provisionable AND NOT draining AND NOT lost)::int8 AS not_provisionable,
      (SELECT count(*)::int8 FROM uninitialized_sled) AS uninitialized,
      to_json(array(SELECT DISTINCT s.engine FROM sled s WHERE s.engine IS NOT NULL AND s.time_deleted IS NULL
        AND s.policy = 'in_service' ORDER BY s.engine)) AS engines
    FROM (SELECT is_provisionable, ${isOutOfReach} AS lost, EXISTS (SELECT 1 FROM sled_drain d
        WHERE d.sled_id = sled.id AND d.state = 'running') AS draining
      FROM sled WHERE time_deleted IS NULL AND policy = 'in_service') AS counted`.execute(db)
  const [health] = rows
  if (!health) throw new Error('a count without a row')
  return health
}

async function counts(db: Reader): Promise<Pick<SystemOverview, 'instances' | 'silos'>> {
  const { rows } = await sql<SystemOverview['instances'] & { silos: number }>`
    SELECT count(*) FILTER (WHERE run_state = 'running')::int8 AS running,
      count(*) FILTER (WHERE run_state = 'failed')::int8 AS failed, count(*)::int8 AS total,
      (SELECT count(*)::int8 FROM silo WHERE time_deleted IS NULL) AS silos
    FROM instance WHERE time_deleted IS NULL`.execute(db)
  const [row] = rows
  if (!row) throw new Error('a count without a row')
  const { silos, ...instances } = row
  return { instances, silos }
}
