import { readIcmpCodes } from '@gantry/api/rack-network/icmp.rules'
import type { NumberRange } from '@gantry/api/base/number-range.rules'
import { readPortRange } from '@gantry/api/base/port-range.rules'
import type { IpAddress } from '@gantry/api/base/ip.rules'
import { type Breath, breather } from '../../context/pauses.ts'
import { type Interface, ip, net, netHolds, type Party, type RuleRow, sameAddress } from './model.ts'

export type Target = RuleRow['targets'][number]
type Protocol = NonNullable<RuleRow['filters']['protocols']>[number]

export type Packet =
  | { type: 'tcp' | 'udp'; port: number }
  | { type: 'icmp' | 'icmp6'; icmp_type: number; icmp_code: number }

type Matches<Subject> = (subject: Subject) => boolean

export interface PreparedRule {
  rule: RuleRow
  targets: readonly { target: Target; matches: Matches<Party> }[]
  hosts: Matches<Party>
  packet: Matches<Packet>
}

/** An applicable rule, and the first of its targets that matched. */
export interface Decision {
  rule: RuleRow
  target: Target
}

/**
 * Enabled rules in order of evaluation: lowest priority value first; on equal priority, deny before allow.
 */
export const prepareRules = (rules: readonly RuleRow[], vpcName: string): PreparedRule[] =>
  enabledInOrder(rules).map((rule) => prepareRule(rule, vpcName))

/** The same, while others work in between: the addresses in a thousand rules take a tenth of a second to read. */
export async function prepareRulesInTurns(
  rules: readonly RuleRow[],
  vpcName: string,
  breath: Breath = breather(),
): Promise<PreparedRule[]> {
  const prepared: PreparedRule[] = []
  for (const rule of enabledInOrder(rules)) {
    prepared.push(prepareRule(rule, vpcName))
    await breath()
  }
  return prepared
}

const enabledInOrder = (rules: readonly RuleRow[]): RuleRow[] =>
  rules.filter((rule) => rule.status === 'enabled').sort(precedence)

export const precedence = (one: RuleRow, other: RuleRow): number =>
  one.priority - other.priority ||
  Number(one.action === 'allow') - Number(other.action === 'allow') ||
  (one.name < other.name ? -1 : 1)

export const prepareRule = (rule: RuleRow, vpcName: string): PreparedRule => ({
  rule,
  targets: rule.targets.map((target) => ({ target, matches: hostMatcher(target, vpcName) })),
  hosts: anyOf(rule.filters.hosts, (host) => hostMatcher(host, vpcName)),
  packet: packetMatcher(rule.filters),
})

/** An interface as the end of a packet, with its address of the packet's IP version. */
export const partyOf = (one: Interface, address: IpAddress): Party => ({
  kind: 'interface',
  interface: one,
  address,
})

/** Whether an interface is meant: by its name, or by any of its addresses. */
export const matchesAny = (matches: Matches<Party>, one: Interface): boolean =>
  one.addresses.some((address) => matches(partyOf(one, address)))

/** The first target of a rule that matches an interface, if any. */
export const matchedTarget = ({ targets }: PreparedRule, one: Interface): Target | undefined =>
  targets.find(({ matches }) => matchesAny(matches, one))?.target

/** A packet that an interface's firewall denied, and the rule that denied it; none if no rule allowed it. */
export interface Denial {
  direction: RuleRow['direction']
  self: Interface
  other: Party
  packet: Packet
  by: RuleRow | undefined
}

/** The rules a packet is evaluated against, and those skipped only because of their targets. */
export interface Trial {
  rules: readonly PreparedRule[]
  targetless: RuleRow[]
}

/** The first matching rule decides; undefined if none matches and the direction's default applies. */
export function evaluateRules(
  { rules, targetless }: Trial,
  direction: RuleRow['direction'],
  self: Interface,
  other: Party,
  packet: Packet,
): Decision | undefined {
  for (const prepared of rules) {
    if (prepared.rule.direction !== direction || !prepared.packet(packet) || !prepared.hosts(other)) continue
    if (prepared.targets.length === 0) targetless.push(prepared.rule)
    const target = matchedTarget(prepared, self)
    if (target) return { rule: prepared.rule, target }
  }
  return undefined
}

/** Missing filters of a kind, or an empty list, restrict nothing. */
function anyOf<Filter, Subject>(
  filters: readonly Filter[] | null | undefined,
  matcher: (filter: Filter) => Matches<Subject>,
): Matches<Subject> {
  if (!filters || filters.length === 0) return () => true
  const all = filters.map(matcher)
  return (subject) => all.some((matches) => matches(subject))
}

/** Names are resolved at evaluation: a missing one matches nothing. */
export function hostMatcher(host: Target, vpcName: string): Matches<Party> {
  switch (host.type) {
    case 'vpc':
      return (party) => party.kind === 'interface' && host.value === vpcName
    case 'subnet':
      return (party) => party.kind === 'interface' && party.interface.subnet.name === host.value
    case 'instance':
      return (party) => party.kind === 'interface' && party.interface.instance.name === host.value
    case 'ip': {
      const address = ip(host.value)
      return (party) => party.kind !== 'internet' && sameAddress(party.address, address)
    }
    case 'ip_net': {
      const network = net(host.value)
      return (party) => netHolds(network, party)
    }
    default:
      throw new Error(host satisfies never)
  }
}

/** Ports are those of the receiver; a packet without ports matches no port filter. */
function packetMatcher({ ports, protocols }: RuleRow['filters']): Matches<Packet> {
  const port = anyOf(ports, (text) => {
    const { first, last } = portsOf(text)
    return (packet: Packet) => 'port' in packet && first <= packet.port && packet.port <= last
  })
  const protocol = anyOf(protocols, protocolMatcher)
  return (packet) => port(packet) && protocol(packet)
}

function protocolMatcher(filter: Protocol): Matches<Packet> {
  const { value } = 'value' in filter ? filter : { value: null }
  if (!value) return (packet) => packet.type === filter.type
  const codes = value.code ? icmpCodesOf(value.code) : { first: 0, last: 255 }
  return (packet) =>
    packet.type === filter.type &&
    'icmp_type' in packet &&
    packet.icmp_type === value.icmp_type &&
    codes.first <= packet.icmp_code &&
    packet.icmp_code <= codes.last
}

export const portsOf = (text: string): NumberRange => range(readPortRange(text))
export const icmpCodesOf = (text: string): NumberRange => range(readIcmpCodes(text))

function range<Range>(read: Range | undefined): Range {
  if (read === undefined) throw new Error('a stored range that cannot be read')
  return read
}
