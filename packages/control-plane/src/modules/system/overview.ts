import type { SystemOverview } from '@gantry/api/system'
import { issueKinds } from '@gantry/api/system.rules'
import { sql } from 'kysely'
import type { Cx } from '../../kernel/cx.ts'
import type { Reader } from '../../db/database.ts'
import { needFleet } from '../../kernel/need.ts'
import { isOutOfReach } from '../hardware/out-of-reach.ts'
import { capacityOf } from './capacity.ts'
import { listIssues } from './issues.ts'

/** Number of issues that the overview lists. */
const worstShown = 10

export async function viewOverview(cx: Cx): Promise<SystemOverview> {
  needFleet(cx, 'read')
  const { items } = await listIssues(cx, { state: 'open' })
  return {
    fleet: { ...(await fleetHealth(cx.db)), is_simulated: cx.services.fleet.isSimulated },
    ...(await counts(cx.db)),
    capacity: await capacityOf(cx.db),
    issues: issueKinds.map((kind) => ({ kind, count: items.filter((issue) => issue.kind === kind).length })),
    worst: items.slice(0, worstShown),
  }
}

async function fleetHealth(db: Reader): Promise<Omit<SystemOverview['fleet'], 'is_simulated'>> {
  const { rows } = await sql<Omit<SystemOverview['fleet'], 'is_simulated'>>`
    SELECT (SELECT count(*)::int8 FROM rack WHERE time_deleted IS NULL) AS racks, count(*)::int8 AS sleds,
      count(*) FILTER (WHERE is_provisionable)::int8 AS provisionable,
      count(*) FILTER (WHERE NOT is_provisionable)::int8 AS not_provisionable,
      count(*) FILTER (WHERE ${isOutOfReach})::int8 AS lost,
      count(*) FILTER (WHERE EXISTS (SELECT 1 FROM sled_drain d
        WHERE d.sled_id = sled.id AND d.state = 'running'))::int8 AS draining,
      (SELECT count(*)::int8 FROM uninitialized_sled) AS uninitialized,
      to_json(array(SELECT DISTINCT s.engine FROM sled s WHERE s.engine IS NOT NULL AND s.time_deleted IS NULL
        AND s.policy = 'in_service' ORDER BY s.engine)) AS engines
    FROM sled WHERE time_deleted IS NULL AND policy = 'in_service'`.execute(db)
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
