import { sql } from 'kysely'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import { invalid } from '@gantry/control-plane/context/refusal'

interface Renaming {
  from: string
  to: string
}

/** One change holds all of it. */
const maxNamed = 1000

type Rule = Row<'vpc_firewall_rule'>
type Named = { type: string; value: unknown }

/**
 * Gives the firewall rules and routes of a project that name an instance its new name, so that they keep applying to it.
 * The instance is locked.
 */
export async function followInstanceName(tx: Change, projectId: string, renaming: Renaming): Promise<void> {
  const end = JSON.stringify({ type: 'instance', value: renaming.from })
  const named = sql<{ vpc_id: string; count: number }>`
    SELECT n.vpc_id, count(*)::int4 AS count FROM (
      SELECT f.vpc_id FROM vpc v JOIN vpc_firewall_rule f ON f.vpc_id = v.id
        WHERE v.project_id = ${projectId} AND v.time_deleted IS NULL AND f.time_deleted IS NULL
        AND (f.targets @> ${`[${end}]`}::jsonb OR f.filters -> 'hosts' @> ${`[${end}]`}::jsonb)
      UNION ALL
      SELECT r.vpc_id FROM vpc v JOIN vpc_router r ON r.vpc_id = v.id
        JOIN router_route t ON t.vpc_router_id = r.id
        WHERE v.project_id = ${projectId} AND v.time_deleted IS NULL AND r.time_deleted IS NULL
        AND t.time_deleted IS NULL AND t.target @> ${end}::jsonb
    ) n GROUP BY n.vpc_id ORDER BY n.vpc_id`
  const { rows } = await named.execute(tx.read)
  if (rows.reduce((sum, { count }) => sum + count, 0) > maxNamed)
    throw invalid(
      `More than ${maxNamed} firewall rules and routes name this instance.`,
      'Remove some of them first, or let them name a subnet instead.',
    )
  for (const { vpc_id } of rows) {
    await tx.lockById('vpc', vpc_id)
    await followInRules(tx, vpc_id, renaming)
    await followInRoutes(tx, vpc_id, renaming)
  }
}

async function followInRules(tx: Change, vpcId: string, renaming: Renaming): Promise<void> {
  const rules = await tx.read
    .selectFrom('vpc_firewall_rule')
    .selectAll()
    .where('vpc_id', '=', vpcId)
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  const naming = rules.filter((rule) => endsOf(rule).some((end) => isNamed(end, renaming)))
  if (naming.length === 0) return
  for (const rule of naming) {
    const { targets, filters } = rule
    await tx.update('vpc_firewall_rule', rule, {
      targets: JSON.stringify(targets.map((end) => renamed(end, renaming))),
      filters: JSON.stringify({
        ...filters,
        hosts: filters.hosts && filters.hosts.map((end) => renamed(end, renaming)),
      }),
    })
  }
  // The list as a whole has changed for users who edit it.
  await tx.plain
    .updateTable('vpc_firewall')
    .set((eb) => ({ generation: eb('generation', '+', 1) }))
    .where('vpc_id', '=', vpcId)
    .execute()
}

async function followInRoutes(tx: Change, vpcId: string, renaming: Renaming): Promise<void> {
  const routes = await tx.read
    .selectFrom('router_route')
    .innerJoin('vpc_router', 'vpc_router.id', 'router_route.vpc_router_id')
    .selectAll('router_route')
    .where('vpc_router.vpc_id', '=', vpcId)
    .where('vpc_router.time_deleted', 'is', null)
    .where('router_route.time_deleted', 'is', null)
    .orderBy('router_route.id')
    .forUpdate('router_route')
    .execute()
  for (const route of routes.filter(({ target }) => isNamed(target, renaming)))
    await tx.update('router_route', route, {
      target: JSON.stringify({ ...route.target, value: renaming.to }),
    })
}

const endsOf = ({ targets, filters }: Rule): readonly Named[] => [
  ...targets,
  ...((filters.hosts ?? []) as readonly Named[]),
]

const isNamed = ({ type, value }: { type: string; value?: unknown }, { from }: Renaming): boolean =>
  type === 'instance' && value === from

const renamed = <End extends Named>(end: End, renaming: Renaming): End =>
  isNamed(end, renaming) ? { ...end, value: renaming.to } : end
