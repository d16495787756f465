import type {
  FirewallRule,
  FirewallRules,
  FirewallRuleUpdate,
  FirewallSizes,
} from '@gantry/api/network/vpc-firewall'
import { firewallRulesProblem } from '@gantry/api/network/vpc-firewall.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Reader } from '@gantry/control-plane/db/database'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { invalidValue } from '@gantry/control-plane/context/refusal'
import { isSameJson } from '@gantry/control-plane/db/same-json'
import { liveRows } from '@gantry/control-plane/change/children'
import { firewallRuleView } from './views.ts'
import { generationKey, isExpected, stale } from '@gantry/control-plane/lookup/etag'

/** The whole list by name, with the generation of the list as its ETag. */
export async function viewFirewall(cx: Cx, at: Selectors): Promise<FirewallRules> {
  const { row: vpc } = await need(cx, 'vpc', at, 'list_children')
  // Read before the rules: a concurrent replacement then yields an ETag that is too old, never too new.
  const generation = await generationOf(cx.db, vpc.id)
  return firewallView(await rulesOf(cx.db, vpc.id), generation)
}

/** The number of rules of each VPC in a project; VPCs without rules are omitted. */
export async function countRules(cx: Cx, at: Selectors): Promise<FirewallSizes> {
  const { row: project } = await need(cx, 'project', at, 'list_children')
  const items = await cx.db
    .selectFrom('vpc_firewall_rule as rule')
    .innerJoin('vpc', 'vpc.id', 'rule.vpc_id')
    .select((eb) => ['rule.vpc_id', eb.fn.countAll<number>().as('rules')])
    .where('vpc.project_id', '=', project.id)
    .where('rule.time_deleted', 'is', null)
    .groupBy('rule.vpc_id')
    .execute()
  return { items }
}

/**
 * Replaces the list. An unchanged rule keeps its identity and times; all others are new. `If-Match` applies
 * to the list as a whole, so that no caller overwrites changes they have not seen.
 */
export async function replaceFirewall(
  cx: Cx,
  at: Selectors,
  rules: readonly FirewallRuleUpdate[],
): Promise<FirewallRules> {
  const { row, scope } = await need(cx, 'vpc', at, 'create_child')
  const problem = firewallRulesProblem(rules)
  if (problem) throw invalidValue(problem.label, problem.reason)
  return change(cx, scope, async (tx) => {
    await tx.lock('vpc', row)
    const generation = await generationOf(tx.read, row.id)
    if (!isExpected(cx, generation)) throw stale(generation)
    const live = await liveRows(tx, 'vpc_firewall_rule', 'vpc_id', row.id)
    const wanted = new Map(rules.map((rule) => [rule.name, rule]))
    const isKept = (old: Row<'vpc_firewall_rule'>): boolean => {
      const rule = wanted.get(old.name)
      return rule !== undefined && isSameJson(contentsOf(rule), contentsOf(old))
    }
    const kept = new Set(live.filter(isKept).map(({ name }) => name))
    await tx.removeAll(
      'vpc_firewall_rule',
      live.filter(({ name }) => !kept.has(name)),
    )
    await insertRules(
      tx,
      row.id,
      rules.filter(({ name }) => !kept.has(name)),
    )
    await tx.plain
      .updateTable('vpc_firewall')
      .set({ generation: generation + 1 })
      .where('vpc_id', '=', row.id)
      .execute()
    return firewallView(await rulesOf(tx.read, row.id), generation + 1)
  })
}

/** Creates the first list of a new VPC. */
export async function createFirewall(
  tx: Change,
  vpcId: string,
  rules: readonly FirewallRuleUpdate[],
): Promise<void> {
  await tx.plain.insertInto('vpc_firewall').values({ vpc_id: vpcId, generation: 1 }).execute()
  await insertRules(tx, vpcId, rules)
}

const insertRules = (tx: Change, vpc_id: string, rules: readonly FirewallRuleUpdate[]): Promise<void> =>
  tx.insertAll(
    'vpc_firewall_rule',
    rules.map((rule) => {
      const { targets, filters, ...plain } = contentsOf(rule)
      return { vpc_id, ...plain, targets: JSON.stringify(targets), filters: JSON.stringify(filters) }
    }),
  )

const contentsOf = (rule: FirewallRuleUpdate) => ({
  name: rule.name,
  description: rule.description,
  status: rule.status,
  direction: rule.direction,
  action: rule.action,
  priority: rule.priority,
  targets: rule.targets,
  filters: completeFilters(rule.filters),
})

/** Every filter is present: null means none, which differs from an empty list. */
export const completeFilters = ({
  hosts = null,
  ports = null,
  protocols = null,
}: FirewallRuleUpdate['filters']): FirewallRule['filters'] => ({ hosts, ports, protocols })

function firewallView(rules: readonly Row<'vpc_firewall_rule'>[], generation: number): FirewallRules {
  return Object.assign({ rules: rules.map(firewallRuleView) }, { [generationKey]: generation })
}

const rulesOf = (db: Reader, vpcId: string): Promise<Row<'vpc_firewall_rule'>[]> =>
  db
    .selectFrom('vpc_firewall_rule')
    .selectAll()
    .where('vpc_id', '=', vpcId)
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()

async function generationOf(db: Reader, vpcId: string): Promise<number> {
  const { generation } = await db
    .selectFrom('vpc_firewall')
    .select('generation')
    .where('vpc_id', '=', vpcId)
    .executeTakeFirstOrThrow()
  return generation
}
