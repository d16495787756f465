import { z } from 'zod'
import { MiB } from '../base/bytes.rules.ts'
import { Ip, IpVersion, valued } from '../base/ip.ts'
import { family, get, type Kind, post } from '../op.ts'
import { nearMissReasons, packetReasons } from './packet.rules.ts'
import { InProject, list, maybe, Name, named, NameOrId, Uuid } from '../schema.ts'
import { FirewallRule, FirewallRuleUpdate, FirewallTarget, IcmpType } from './vpc-firewall.ts'
import { firewallLimits } from './vpc-firewall.rules.ts'
import { OfVpc } from './vpc.ts'

const Reference = named('NamedReference', z.object({ id: Uuid, name: Name }))

const EffectiveRule = named(
  'EffectiveFirewallRule',
  z.object({
    rule: FirewallRule,
    /** For each interface it applies to, the target that matched. */
    matched: z.array(z.object({ interface: Reference, target: FirewallTarget })),
  }),
)
const EffectiveRules = named('EffectiveFirewallRules', z.object({ items: z.array(EffectiveRule) }))
export type EffectiveRules = z.infer<typeof EffectiveRules>

const Endpoint = named(
  'PacketEndpoint',
  z.discriminatedUnion('type', [
    valued('instance', NameOrId),
    valued('ip', Ip),
    z.object({ type: z.literal('internet') }),
  ]),
)
export type PacketEndpoint = z.infer<typeof Endpoint>

const Port = z.number().int().min(1).max(65_535)
const icmp = { icmp_type: IcmpType, icmp_code: z.number().int().min(0).max(255).default(0) }
const Packet = named(
  'Packet',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('tcp'), port: Port }),
    z.object({ type: z.literal('udp'), port: Port }),
    z.object({ type: z.literal('icmp'), ...icmp }),
    z.object({ type: z.literal('icmp6'), ...icmp }),
  ]),
)

export const PacketCheck = named(
  'VpcPacketCheck',
  z.object({
    from: Endpoint,
    to: Endpoint,
    packet: Packet,
    /** By default that of an address or of the protocol, or else the one that both ends have, IPv4 first. */
    ip_version: maybe(IpVersion),
    /** Rules to evaluate in place of the stored ones: the effect of an unsaved edit. */
    rules: maybe(list(FirewallRuleUpdate, firewallLimits.rules)),
  }),
)
export type PacketCheck = z.infer<typeof PacketCheck>

const ruleFacts = {
  /** Null for an unsaved rule. */
  id: Uuid.nullable(),
  name: Name,
  priority: z.number().int(),
  action: z.enum(['allow', 'deny']),
  direction: z.enum(['inbound', 'outbound']),
}
const DecidingRule = named('DecidingFirewallRule', z.object({ ...ruleFacts, target: FirewallTarget }))
const TargetlessRule = named('TargetlessFirewallRule', z.object(ruleFacts))
const NearMissRule = named(
  'NearMissFirewallRule',
  z.object({
    ...ruleFacts,
    /** Whether it is disabled, or lacks the packet's other end in its host filters. */
    reason: z.enum(nearMissReasons),
    /** The host filter that would make it match. */
    host: FirewallTarget.nullable(),
  }),
)
export const PacketVerdict = named(
  'VpcPacketVerdict',
  z.object({
    ip_version: IpVersion,
    allowed: z.boolean(),
    reason: z.enum(Object.keys(packetReasons) as [keyof typeof packetReasons]),
    message: z.string(),
    /** The rule that decides the result; null if a default or a route decided. */
    deciding_rule: DecidingRule.nullable(),
    outbound_rule: DecidingRule.nullable(),
    inbound_rule: DecidingRule.nullable(),
    /** Enabled rules whose filters match, and which would have decided earlier if they had a target. */
    targetless_rules: z.array(TargetlessRule),
    /** Rules that would have let a denied packet pass but for one thing, in order of evaluation. */
    near_misses: z.array(NearMissRule),
    /** The packet's route; for an inbound packet, that of its replies. */
    route: Reference.nullable(),
    router: Reference.nullable(),
    gateway: Reference.nullable(),
    external_ip: z.string().nullable(),
    receiver: z.object({ instance: Reference, interface: Reference }).nullable(),
  }),
)
export type PacketVerdict = z.infer<typeof PacketVerdict>

/** The kinds of records that decide about packets of a VPC. */
export const packetKinds: readonly Kind[] = [
  'vpc',
  'vpc-subnet',
  'vpc-router',
  'router-route',
  'vpc-firewall-rule',
  'internet-gateway',
  'internet-gateway-ip-pool',
  'internet-gateway-ip-address',
  'instance',
  'instance-network-interface',
  'external-ip',
  'floating-ip',
]

export const packetCheckOps = family('extensions', [], {
  instanceFirewallRuleList: get('/ext/v1/instances/{instance}/firewall-rules', {
    summary: 'List the firewall rules that apply to an instance, in evaluation order',
    path: z.object({ instance: NameOrId }),
    query: InProject,
    returns: EffectiveRules,
    reads: ['vpc', 'vpc-subnet', 'vpc-firewall-rule', 'instance', 'instance-network-interface'],
  }),
  vpcPacketCheck: post('/ext/v1/vpc-packet-checks', {
    summary: 'Check whether a packet passes in a VPC, and by which rule, route and gateway',
    query: OfVpc,
    body: PacketCheck,
    bodyMax: 1 * MiB,
    returns: PacketVerdict,
    status: 200,
    onlyReads: true,
    reads: packetKinds,
  }),
})
