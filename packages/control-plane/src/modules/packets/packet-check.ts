import { isUuid } from '@gantry/api/base/name.rules'
import { isDelivered, packetReasons } from '@gantry/api/network/packet.rules'
import type {
  EffectiveRules,
  PacketCheck,
  PacketEndpoint,
  PacketVerdict,
} from '@gantry/api/network/packet-check'
import { firewallRulesProblem } from '@gantry/api/network/vpc-firewall.rules'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import type { Breath } from '../../context/pauses.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { itemsIn } from '../../parse/oversize.ts'
import { invalid, invalidValue } from '../../context/refusal.ts'
import { FairQueue } from '../../work/fair-queue.ts'
import { loadNetwork } from './load.ts'
import { type NearMiss, nearMisses } from './near-misses.ts'
import { ip, type Named, type NetworkRows, type RuleRow } from './model.ts'
import { type Network, prepareNetwork } from './network.ts'
import { type Decision, matchedTarget, prepareRulesInTurns } from './rules.ts'
import { type Endpoint, evaluatePacket, versionOf } from './verdict.ts'
import { firewallRuleView } from '../network/records/views.ts'

/**
 * Reading and evaluating a whole firewall. One per user at a time, so that others wait for the end of only one.
 */
const evaluations = new FairQueue({ atOnce: 8, atOnceEach: 1, waitingEach: 64, waiting: 1000 })

/** Charges the caller for rules that are evaluated. */
type Spend = (rules: readonly RuleRow[]) => void

/** Reads a VPC and evaluates packets of it in the caller's share. */
const inShare = <Result>(
  cx: Cx,
  vpc: Row<'vpc'>,
  evaluate: (rows: NetworkRows, breath: Breath, spend: Spend) => Promise<Result>,
): Promise<Result> =>
  evaluateInShare(cx, async (breath, spend) => evaluate(await loadNetwork(cx.db, vpc), breath, spend))

/** Evaluates packets in the caller's share. */
export async function evaluateInShare<Result>(
  cx: Cx,
  evaluate: (breath: Breath, spend: Spend) => Promise<Result>,
): Promise<Result> {
  const place = await evaluations.enterFor(cx)
  try {
    return await evaluate(cx.breather(), (rules) => {
      const items = itemsIn(rules.map(({ targets, filters }) => ({ targets, filters })))
      place.spend(items)
      cx.charge(items)
    })
  } finally {
    place.leave()
  }
}

/** The rules that apply to an interface of the instance, in order of evaluation, each with its reason. */
export async function effectiveRules(cx: Cx, at: Selectors): Promise<EffectiveRules> {
  const { row: instance } = await need(cx, 'instance', at, 'read')
  const vpc = await vpcOf(cx, instance)
  if (!vpc) return { items: [] }
  return inShare(cx, vpc, async (rows, breath, spend) => {
    spend(rows.rules)
    const network = prepareNetwork(rows, await prepareRulesInTurns(rows.rules, vpc.name, breath))
    const stored = new Map((rows.rules as Row<'vpc_firewall_rule'>[]).map((rule) => [rule.id, rule]))
    const interfaces = network.instances.get(instance.id)?.interfaces ?? []
    const items = network.rules.flatMap((prepared) => {
      const matched = interfaces.flatMap((one) => {
        const target = matchedTarget(prepared, one)
        return target ? [{ interface: reference(one), target }] : []
      })
      const rule = stored.get(prepared.rule.id ?? '')
      return rule && matched.length > 0 ? [{ rule: firewallRuleView(rule), matched }] : []
    })
    return { items }
  })
}

/** All interfaces of an instance are in one VPC. */
export const vpcOf = (cx: Cx, instance: Row<'instance'>): Promise<Row<'vpc'> | undefined> =>
  cx.db
    .selectFrom('vpc')
    .innerJoin('network_interface', 'network_interface.vpc_id', 'vpc.id')
    .selectAll('vpc')
    .where('network_interface.instance_id', '=', instance.id)
    .where('network_interface.time_deleted', 'is', null)
    .limit(1)
    .executeTakeFirst()

/** Read-only: the verdict follows the stored rules, or those in the request. */
export async function checkPacket(cx: Cx, at: Selectors, check: PacketCheck): Promise<PacketVerdict> {
  const { row: vpc } = await need(cx, 'vpc', at, 'read')
  const problem = check.rules ? firewallRulesProblem(check.rules) : undefined
  if (problem) throw invalidValue(problem.label, problem.reason)
  return inShare(cx, vpc, async (rows, breath, spend) => {
    const rules = check.rules?.map((rule) => ({ ...rule, id: null })) ?? rows.rules
    // Those of the request were charged with its body.
    if (!check.rules) spend(rules)
    const network = prepareNetwork({ ...rows, rules }, await prepareRulesInTurns(rules, vpc.name, breath))
    const from = await endpointOf(cx, network, vpc, check.from)
    const to = await endpointOf(cx, network, vpc, check.to)
    const asked = check.ip_version && (check.ip_version === 'v4' ? 4 : 6)
    const version = versionOf(from, to, check.packet, asked ?? undefined)
    if (!version)
      throw invalid(
        'the ends, the protocol and the IP version of the packet are not of one IP version',
        'Give both ends of one version; ICMP is of IPv4, and ICMPv6 of IPv6.',
      )
    const verdict = evaluatePacket(network, from, to, check.packet, version)
    const missed = verdict.denial ? await nearMisses(network, rules, vpc.name, verdict.denial, breath) : []
    return { ip_version: `v${version}`, ...verdictView(verdict), near_misses: missed.map(nearMissView) }
  })
}

/**
 * Instances are named within the VPC's project. One without an interface in the VPC is an unreachable
 * endpoint.
 */
async function endpointOf(cx: Cx, network: Network, vpc: Row<'vpc'>, end: PacketEndpoint): Promise<Endpoint> {
  if (end.type === 'internet') return end
  if (end.type === 'ip') return { type: 'ip', address: ip(end.value) }
  const at = isUuid(end.value) ? {} : { project: vpc.project_id }
  const { row } = await need(cx, 'instance', { instance: end.value, ...at }, 'read')
  const { id, name } = row
  return {
    type: 'instance',
    instance: network.instances.get(id) ?? { id, name, interfaces: [], externalIps: [] },
  }
}

const reference = ({ id, name }: Named): Named => ({ id, name })

const nearMissView = ({ rule, ...why }: NearMiss) => ({ ...ruleFacts(rule), ...why })

function verdictView(
  verdict: ReturnType<typeof evaluatePacket>,
): Omit<PacketVerdict, 'near_misses' | 'ip_version'> {
  const { reason, route, gateway, receiver } = verdict
  const [outbound_rule, inbound_rule] = [verdict.outbound, verdict.inbound].map(ruleView)
  const decidedBy = reason === 'outbound_denied' || reason === 'leaves' ? outbound_rule : inbound_rule
  return {
    allowed: isDelivered(reason),
    reason,
    message: packetReasons[reason],
    deciding_rule: decidedBy ?? null,
    outbound_rule: outbound_rule ?? null,
    inbound_rule: inbound_rule ?? null,
    targetless_rules: verdict.targetless.map(ruleFacts),
    route: route ? reference(route.route) : null,
    router: route ? reference(route.router) : null,
    gateway: gateway ? reference(gateway) : null,
    external_ip: verdict.external ?? null,
    receiver: receiver ? { instance: reference(receiver.instance), interface: reference(receiver) } : null,
  }
}

function ruleView(decision: Decision | undefined) {
  return decision ? { ...ruleFacts(decision.rule), target: decision.target } : null
}

const ruleFacts = ({ id, name, priority, action, direction }: RuleRow) => ({
  id,
  name,
  priority,
  action,
  direction,
})
