import type {
  NetworkHop,
  NetworkInterface,
  NetworkProtocol,
  NetworkRange,
  NetworkRule,
  NetworkSubnet,
} from '@gantry/control-plane/fleet/networks'
import { address, reachableAddresses, reachableOf, type Tap, tapsOf, UPLINK, waysOf } from './plan.ts'
import { sharesOf, type VpcRecord } from './vpc-record.ts'
import { formatSpan, inside, joined, narrowest, outside, spanOf, type ValuedSpan } from './spans.ts'

/** The host's addresses that the rules of VPCs use. */
export interface HostAddresses {
  /** The first address of the driver's own block, as a number. */
  base: number
  dns: { address: string; port: number }
}

/** The table whose chain is named after the generation in force. */
export const GENERATION_TABLE = 'gantry_generation'
const generationChain = (generation: number): string => `generation_${generation}`
export function readGeneration(listed: string): number | undefined {
  const [, number] = /\bchain generation_(\d+)\b/.exec(listed) ?? []
  return number === undefined ? undefined : Number(number)
}

/**
 * All rules of a VPC, as one transaction of nftables. Each packet is marked with the hop of its subnet's routes; policy
 * routing sends it there, the firewall evaluates it once, and the mark selects its source address. A mark includes its
 * generation, so that a packet that meets the next generation on its way is dropped.
 */
export function vpcRules(record: VpcRecord, addresses: HostAddresses): string {
  const { network } = record
  const taps = tapsOf(record)
  const marks = marksOf(record)
  const external = externalParts(record, taps, addresses, marks)
  const firewall = firewallParts(network.rules, taps)
  const numberOf = new Map(network.subnets.map(({ id }, index) => [id, index]))
  const primary = network.interfaces.filter(({ is_primary, external }) => is_primary && external.length > 0)
  const reachable = primary.flatMap((one) => reachableOf(one).map((ip) => ({ ip, one })))
  const own = address(addresses.base, record.link)

  return `${fresh('ip', GENERATION_TABLE)}
table ip ${GENERATION_TABLE} {
  chain ${generationChain(network.generation)} {
  }
}
${fresh('arp', 'gantry')}
table arp gantry {
${chains(taps.map((tap) => [fromChain(tap), arpRules(tap)]))}
  chain input {
    type filter hook input priority filter; policy accept
    iifname "${UPLINK}" accept
    ${verdicts(
      'iifname',
      taps.map((tap) => [`"${tap.name}"`, `goto ${fromChain(tap)}`]),
    )}
    drop
  }
}
${fresh('ip', 'gantry')}
table ip gantry {
${network.subnets.map((subnet, index) => named('map', `hops_${index}`, 'ipv4_addr : mark; flags interval', hopElements(subnet, record, marks))).join('\n')}
${named('set', 'carried', 'mark . ipv4_addr', external.carried)}
${named('map', 'ways', 'ifname . mark : ipv4_addr', external.ways)}
${named('set', 'leavers', 'ifname . mark', external.leavers)}
${named('set', 'sources', 'ipv4_addr', [own, ...external.sources])}
${named(
  'map',
  'holders',
  'ipv4_addr : ipv4_addr',
  reachable.map(({ ip, one }) => `${ip} : ${one.ip}`),
)}
  map zones {
    typeof ip daddr : ct zone
    ${elements(external.zones)}
  }
${firewall.sets}
${firewall.chains}
${chains(taps.map((tap) => [fromChain(tap), tapRules(tap, record, numberOf.get(tap.subnet.id) ?? 0)]))}
  chain raw {
    type filter hook prerouting priority raw; policy accept
    iifname "${UPLINK}" ip daddr ${own} accept
    iifname "${UPLINK}" ct zone set ip daddr map @zones accept
    ${verdicts(
      'iifname',
      taps.map((tap) => [`"${tap.name}"`, `goto ${fromChain(tap)}`]),
    )}
    drop
  }
${chains(network.subnets.map((_, index) => [`enter_${index}`, [`meta mark set ip saddr map @hops_${index}`, 'meta mark . ip daddr != @carried drop', `meta mark set ${marks.local}`]]))}
  chain mangle {
    type filter hook prerouting priority mangle; policy accept
    iifname != "${UPLINK}" accept
    ct state established ct direction reply meta mark set ${marks.local} accept
    ct state related meta mark set ${marks.local} accept
    ${verdicts(
      'ip daddr',
      reachable.map(({ ip, one }) => [ip, `goto enter_${numberOf.get(one.subnet_id)}`]),
    )}
  }
  chain dstnat {
    type nat hook prerouting priority dstnat; policy accept
    iifname "${UPLINK}" dnat to ip daddr map @holders
  }
  chain forward {
    type filter hook forward priority filter; policy drop
    meta mark & 0xff000000 != ${marks.generation} drop
    # Conntrack begins no conversation with these messages, but rules may allow them.
    ct state invalid meta l4proto != icmp drop
    ct state related accept
    ct state established ct direction reply accept
    ${verdicts('iifname', firewall.senders)}
    ${verdicts('oifname', firewall.receivers)}
    oifname "${UPLINK}" iifname . meta mark @leavers accept
  }
  chain srcnat {
    type nat hook postrouting priority srcnat; policy accept
    oifname "${UPLINK}" snat to iifname . meta mark map @ways
  }
  chain guard {
    type filter hook postrouting priority srcnat + 100; policy accept
    oifname "${UPLINK}" ip saddr != @sources drop
  }
${named(
  'set',
  'gateways',
  'ifname . ipv4_addr',
  taps.map((tap) => `"${tap.name}" . ${tap.subnet.gateway}`),
)}
  chain input {
    type filter hook input priority filter; policy drop
    iifname "${UPLINK}" ct state established accept
    ip daddr 255.255.255.255 udp dport 67 accept
    iifname . ip daddr != @gateways drop
    icmp type echo-request accept
    udp dport { 53, 67 } accept
    tcp dport 53 accept
  }
  chain output {
    type filter hook output priority filter; policy accept
    oifname != "${UPLINK}" accept
    ip daddr ${addresses.dns.address} meta l4proto { tcp, udp } th dport ${addresses.dns.port} accept
    drop
  }
}
`
}

/** Replaces the table, if it exists. */
const fresh = (family: string, table: string): string => `table ${family} ${table}
delete table ${family} ${table}`

const elements = (items: readonly string[]): string =>
  items.length === 0 ? '' : `elements = { ${[...new Set(items)].join(', ')} }`

/** A set or map of nftables, in which an element may be given twice. */
export const named = (what: 'map' | 'set', name: string, type: string, items: readonly string[]): string =>
  `  ${what} ${name} {
    type ${type}
    ${elements(items)}
  }`

const verdicts = (key: string, items: readonly (readonly [string, string])[]): string =>
  items.length === 0 ? '' : `${key} vmap { ${items.map((item) => item.join(' : ')).join(', ')} }`

const chains = (all: readonly (readonly [string, readonly string[]])[]): string =>
  all
    .map(([name, rules]) => `  chain ${name} {\n${rules.map((rule) => `    ${rule}\n`).join('')}  }`)
    .join('\n')

const fromChain = ({ name }: Tap): string => `from_${name}`

/** Of a mark: its generation in the upper 8 bits, 8 bits for the kind of hop, and 16 for which one. */
interface Marks {
  generation: string
  local: string
  gateway: (id: string) => string
  table: (number: number) => string
}

export const LOCAL = 0x01_0000
export const GATEWAY = 0x02_0000
export const TABLE = 0x03_0000
export const KIND = 0xff_0000

function marksOf({ network: { generation, subnets, interfaces } }: VpcRecord): Marks {
  const ids = [
    ...subnets.flatMap(({ routes }) =>
      routes.flatMap(({ hop }) => (hop.type === 'gateway' ? [hop.gateway_id] : [])),
    ),
    ...interfaces.flatMap(({ external }) => external.flatMap(({ gateway_ids }) => gateway_ids)),
  ]
  const gateways = new Map([...new Set(ids)].sort().map((id, index) => [id, index]))
  // Never 0, which is the mark of unmarked packets.
  const upper = (1 + (generation % 255)) * 2 ** 24
  const hex = (number: number): string => `0x${(upper + number).toString(16).padStart(8, '0')}`
  return {
    generation: hex(0),
    local: hex(LOCAL),
    gateway: (id) => hex(GATEWAY + (gateways.get(id) ?? 0)),
    table: (number) => hex(TABLE + number),
  }
}

/** The marks of a subnet's packets, by destination; those without a route get none. */
function hopElements({ routes }: NetworkSubnet, { network, tables }: VpcRecord, marks: Marks): string[] {
  const byId = new Map(network.interfaces.map((one) => [one.id, one]))
  const blocks = network.subnets.map(({ block }) => spanOf(block))
  const led = (hop: NetworkHop, span: { first: number; last: number }): ValuedSpan<string>[] => {
    const marked = (spans: typeof blocks, value: string) => spans.map((one) => ({ ...one, value }))
    switch (hop.type) {
      case 'local':
        return marked([span], marks.local)
      case 'gateway':
        return marked(outside(span, blocks), marks.gateway(hop.gateway_id))
      case 'interface': {
        const one = byId.get(hop.interface_id)
        return one ? marked(inside(span, ownSpans(one)), marks.table(tables[one.id] ?? 0)) : []
      }
      case 'drop':
        return []
      default:
        throw new Error(hop satisfies never)
    }
  }
  const spans = narrowest(routes.map(({ block, hop }) => ({ block, value: hop })))
  return joined(spans.flatMap((span) => led(span.value, span))).map(
    (span) => `${formatSpan(span)} : ${span.value}`,
  )
}

/** An interface's own address and the blocks that it forwards for, as disjoint spans. */
const ownSpans = ({ ip, transit_ips }: NetworkInterface) =>
  narrowest([`${ip}/32`, ...transit_ips].map((block) => ({ block, value: true })))

/** Only frames with the interface's own addresses pass its tap; the routes of its subnet mark them. */
function tapRules({ interface: one, subnet }: Tap, { zones }: VpcRecord, index: number): string[] {
  const zone = zones[one.instance_id]
  const sources = joined(ownSpans(one)).map(formatSpan)
  return [
    `ether saddr != ${one.mac} drop`,
    // The hardware address of a DHCP request is in its 29th byte, after 8 bytes of UDP.
    `udp dport 67 @th,288,48 != 0x${one.mac.replaceAll(':', '').toLowerCase()} drop`,
    'ip saddr 0.0.0.0 ip daddr 255.255.255.255 udp dport 67 accept',
    `ip saddr != { ${sources.join(', ')} } drop`,
    `ip daddr ${subnet.gateway} accept`,
    `meta mark set ip daddr map @hops_${index}`,
    ...(zone ? [`meta mark & ${KIND} == ${GATEWAY} ct zone set ${zone.number}`] : []),
  ]
}

/** A guest announces only its own address, so it cannot fill the host's neighbour table either. */
const arpRules = ({ interface: one }: Tap): string[] => [
  `arp saddr ether != ${one.mac} drop`,
  `arp saddr ip { 0.0.0.0, ${one.ip} } accept`,
  'drop',
]

/** The sets and maps of external addresses. */
function externalParts(record: VpcRecord, taps: readonly Tap[], { base }: HostAddresses, marks: Marks) {
  const { network, transit, zones } = record
  const ways = taps.flatMap((tap) =>
    waysOf(tap.interface, record, base).map((way) => ({
      key: `"${tap.name}" . ${marks.gateway(way.gateway_id)}`,
      source: way.source,
    })),
  )
  const shares = sharesOf(network).map(({ key, interface: one }) => ({
    zone: zones[one.instance_id]?.number ?? 0,
    ip: address(base, transit[key] ?? 0),
  }))
  return {
    ways: ways.map(({ key, source }) => `${key} : ${source}`),
    leavers: ways.map(({ key }) => key),
    carried: network.interfaces.flatMap(({ external }) =>
      external
        .filter(({ kind }) => kind !== 'snat')
        .flatMap(({ ip, gateway_ids }) => gateway_ids.map((id) => `${marks.gateway(id)} . ${ip}`)),
    ),
    sources: [...reachableAddresses(record), ...shares.map(({ ip }) => ip)],
    zones: [
      ...network.interfaces.flatMap((one) =>
        reachableOf(one).map((ip) => `${ip} : ${zones[one.instance_id]?.number ?? 0}`),
      ),
      ...shares.map(({ ip, zone }) => `${ip} : ${zone}`),
    ],
  }
}

/** The firewall: one chain for each distinct list of rules. */
function firewallParts(rules: readonly NetworkRule[], taps: readonly Tap[]) {
  const hosts = new Map<string, string>()
  const prepared = rules.map((rule) => ({
    direction: rule.direction,
    applies: new Set(rule.interface_ids),
    lines: ruleLines(rule, hosts),
  }))
  const lists = new Map<string, { name: string; lines: string[] }>()
  const chainOf = (direction: NetworkRule['direction'], { interface: { id } }: Tap): string => {
    const own = prepared.filter((rule) => rule.direction === direction && rule.applies.has(id))
    const key = [direction, ...own.map((rule) => prepared.indexOf(rule))].join()
    const list = lists.get(key) ?? {
      name: `${direction}_${lists.size}`,
      lines: [...own.flatMap(({ lines }) => lines), ...(direction === 'inbound' ? ['drop'] : [])],
    }
    lists.set(key, list)
    return list.name
  }
  const senders = taps.map((tap) => [`"${tap.name}"`, `jump ${chainOf('outbound', tap)}`] as const)
  const receivers = taps.map((tap) => [`"${tap.name}"`, `goto ${chainOf('inbound', tap)}`] as const)
  return {
    senders,
    receivers,
    sets: [...hosts]
      .map(([items, name]) => named('set', name, 'ipv4_addr; flags interval', [items]))
      .join('\n'),
    chains: chains([...lists.values()].map(({ name, lines }) => [name, lines])),
  }
}

/** A packet that an outbound rule allows is then evaluated by the receiver's rules. */
function ruleLines(rule: NetworkRule, hosts: Map<string, string>): string[] {
  const isInbound = rule.direction === 'inbound'
  const verdict = rule.action === 'deny' ? 'drop' : isInbound ? 'accept' : 'return'
  const host = rule.hosts ? `ip ${isInbound ? 'saddr' : 'daddr'} @${setOf(rule.hosts, hosts)} ` : ''
  return packetMatches(rule).map((packet) => `${host}${packet}${verdict}`)
}

/** Rules often name the same hosts. */
function setOf(blocks: readonly string[], hosts: Map<string, string>): string {
  const items = blocks.join(', ')
  const name = hosts.get(items) ?? `hosts_${hosts.size}`
  hosts.set(items, name)
  return name
}

/** The alternative matches of a rule. */
function packetMatches({ ports, protocols }: NetworkRule): string[] {
  const withPorts = (types: readonly string[]) =>
    `meta l4proto { ${types.join(', ')} } ${ports ? `th dport { ${joinRanges(ports)} } ` : ''}`
  if (!protocols) return [ports ? withPorts(['tcp', 'udp']) : '']
  const types = protocols.flatMap(({ type }) => (type === 'icmp' ? [] : [type]))
  return [
    ...(types.length > 0 ? [withPorts([...new Set(types)])] : []),
    ...(ports ? [] : protocols.filter(({ type }) => type === 'icmp').map(icmpMatch)),
  ]
}

function icmpMatch(protocol: NetworkProtocol): string {
  if (protocol.type !== 'icmp' || protocol.icmp_type === undefined) return 'meta l4proto icmp '
  const { codes } = protocol
  return `icmp type ${protocol.icmp_type} ${codes ? `icmp code { ${formatRange(codes)} } ` : ''}`
}

/** Overlapping ranges are an error in a set. */
function joinRanges(ranges: readonly NetworkRange[]): string {
  const merged: { first: number; last: number }[] = []
  for (const { first, last } of [...ranges].sort((one, other) => one.first - other.first)) {
    const before = merged.at(-1)
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last)
    else merged.push({ first, last })
  }
  return merged.map(formatRange).join(', ')
}

const formatRange = ({ first, last }: NetworkRange): string =>
  first === last ? `${first}` : `${first}-${last}`
