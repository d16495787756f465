import { z } from 'zod'
import { MiB } from '../base/bytes.rules.ts'
import { readIcmpCodes } from '../rack-network/icmp.rules.ts'
import { Ip, IpNet, valued } from '../base/ip.ts'
import { family, get, put } from '../op.ts'
import { readPortRange } from '../base/port-range.rules.ts'
import { identityCreate, list, Name, named, OfProject, text, withIdentity, Uuid } from '../schema.ts'
import { firewallLimits } from './vpc-firewall.rules.ts'
import { OfVpc } from './vpc.ts'

/** A schema for each use, since each has a name of its own. */
const firewallHost = () =>
  z.discriminatedUnion('type', [
    valued('vpc', Name),
    valued('subnet', Name),
    valued('instance', Name),
    valued('ip', Ip),
    valued('ip_net', IpNet),
  ])
const FirewallHost = named('VpcFirewallRuleHostFilter', firewallHost())
export const FirewallTarget = named('VpcFirewallRuleTarget', firewallHost())
export const IcmpType = z.number().int().min(0).max(255)
/** Maximum length of two numbers with a dash, in characters, including surrounding blanks. */
const rangeMaxLength = 32
const noIcmpCode = 'invalid ICMP code, expected a number from 0 to 255 or two with a "-"'
const noPortRange = 'invalid port range, expected a port from 1 to 65535 or two with a "-"'
const IcmpCodes = named(
  'IcmpParamRange',
  text(rangeMaxLength, noIcmpCode).refine((given) => readIcmpCodes(given), noIcmpCode),
)
const icmpFilter = () =>
  // API clients omit nulls.
  z.object({ icmp_type: IcmpType, code: IcmpCodes.nullish() }).nullable().default(null)
export const FirewallProtocol = named(
  'VpcFirewallRuleProtocol',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('tcp') }),
    z.object({ type: z.literal('udp') }),
    z.object({ type: z.literal('icmp'), value: icmpFilter() }),
    z.object({ type: z.literal('icmp6'), value: icmpFilter() }),
  ]),
)
const PortRange = named(
  'L4PortRange',
  text(rangeMaxLength, noPortRange).refine((given) => readPortRange(given), noPortRange),
)
export const FirewallFilter = named(
  'VpcFirewallRuleFilter',
  z.object({
    hosts: list(FirewallHost, firewallLimits.filters).nullish(),
    ports: list(PortRange, firewallLimits.filters).nullish(),
    protocols: list(FirewallProtocol, firewallLimits.filters).nullish(),
  }),
)

const ruleParts = {
  status: z.enum(['enabled', 'disabled']),
  direction: z.enum(['inbound', 'outbound']),
  targets: list(FirewallTarget, firewallLimits.targets),
  filters: FirewallFilter,
  action: z.enum(['allow', 'deny']),
  priority: z.number().int().min(0).max(firewallLimits.priority),
}
export const FirewallRule = named('VpcFirewallRule', withIdentity({ vpc_id: Uuid, ...ruleParts }))
export type FirewallRule = z.infer<typeof FirewallRule>

/** The complete list: rules that it omits are deleted. */
export const FirewallRuleUpdate = named(
  'VpcFirewallRuleUpdate',
  z.object({ ...identityCreate, ...ruleParts }),
)
export type FirewallRuleUpdate = z.infer<typeof FirewallRuleUpdate>
const FirewallRulesUpdate = named(
  'VpcFirewallRuleUpdateParams',
  z.object({ rules: list(FirewallRuleUpdate, firewallLimits.rules).default([]) }),
)

const FirewallRules = named('VpcFirewallRules', z.object({ rules: z.array(FirewallRule) }))
export type FirewallRules = z.infer<typeof FirewallRules>

/** Ours: the data that a list of VPCs shows, in one request. VPCs without rules are omitted. */
const FirewallSizes = named(
  'VpcFirewallSizes',
  z.object({
    items: z.array(named('VpcFirewallSize', z.object({ vpc_id: Uuid, rules: z.number().int() }))),
  }),
)
export type FirewallSizes = z.infer<typeof FirewallSizes>

export const vpcFirewallOps = family('vpcs', ['vpc-firewall-rule'], {
  vpcFirewallRulesView: get('/v1/vpc-firewall-rules', {
    revalidates: true,
    summary: 'Fetch the firewall rules of a VPC',
    query: OfVpc,
    returns: FirewallRules,
  }),
  vpcFirewallRulesUpdate: put('/v1/vpc-firewall-rules', {
    changes: ['vpc', 'vpc-firewall-rule'],
    summary: 'Replace the firewall rules of a VPC',
    query: OfVpc,
    body: FirewallRulesUpdate,
    bodyMax: 1 * MiB,
    returns: FirewallRules,
  }),
  vpcFirewallSizeList: get('/ext/v1/vpc-firewall-sizes', {
    summary: 'Count the firewall rules of each VPC of a project',
    query: OfProject,
    returns: FirewallSizes,
    reads: ['vpc', 'vpc-firewall-rule'],
  }),
})
