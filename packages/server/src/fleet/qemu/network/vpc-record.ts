import type { ExternalAddress, NetworkInterface, VpcNetwork } from '@gantry/control-plane/fleet/networks'

/**
 * What the driver stores of a VPC: the state to bring into force, and the numbers of its parts on the host. Written
 * before the first step, so that a restart finds everything that was begun.
 */
export interface VpcRecord {
  network: VpcNetwork
  /** Of its link to the host. */
  link: number
  /** Of the routing tables that lead to an interface, by its id. */
  tables: Record<string, number>
  last_table: number
  /** Of connections with the outside, by instance. */
  zones: Record<string, Zone>
  last_zone: number
  /** Of the addresses between VPC and host that represent a shared one, by `shareKey`. */
  transit: Record<string, number>
}
interface Zone {
  number: number
  /** Each address with each gateway that carries it. */
  ways: string[]
}

/** Tables and zones have 16 bits each; 0 stands for none. */
const MAX = 65_535

/** Numbers of links and transit addresses, of all VPCs together. */
export interface Numbers {
  allocate: () => number
}

/**
 * The next record of a VPC. Parts keep their numbers, and a released number is reused as late as possible: the state in
 * force may still use it, and connections remember it.
 */
export function nextRecord(before: VpcRecord | undefined, network: VpcNetwork, numbers: Numbers): VpcRecord {
  const tables = counter(before?.last_table ?? 0, Object.values(before?.tables ?? {}))
  const zones = counter(
    before?.last_zone ?? 0,
    Object.values(before?.zones ?? {}).map(({ number }) => number),
  )
  return {
    network,
    link: before?.link ?? numbers.allocate(),
    tables: Object.fromEntries(
      targetsOf(network).map((id) => [id, before?.tables[id] ?? tables.allocate()] as const),
    ),
    zones: Object.fromEntries(
      [...firstOfInstances(network)].map(([id, one]) => [id, zoneOf(before?.zones[id], one, zones)] as const),
    ),
    transit: Object.fromEntries(
      sharesOf(network).map(({ key }) => [key, before?.transit[key] ?? numbers.allocate()] as const),
    ),
    last_table: tables.last(),
    last_zone: zones.last(),
  }
}

function counter(last: number, used: readonly number[]) {
  const taken = new Set(used)
  let current = last
  return {
    allocate(): number {
      do current = (current % MAX) + 1
      while (taken.has(current))
      taken.add(current)
      return current
    },
    last: () => current,
  }
}

/** Interfaces that are the hop of a route. */
const targetsOf = ({ subnets }: VpcNetwork): string[] => [
  ...new Set(
    subnets.flatMap(({ routes }) =>
      routes.flatMap(({ hop }) => (hop.type === 'interface' ? [hop.interface_id] : [])),
    ),
  ),
]

/** All interfaces of an instance have the same external addresses. */
function firstOfInstances({ interfaces }: VpcNetwork): Map<string, NetworkInterface> {
  const found = new Map<string, NetworkInterface>()
  for (const one of interfaces.filter(({ external }) => external.length > 0))
    if (!found.has(one.instance_id)) found.set(one.instance_id, one)
  return found
}

/** When an instance loses an external route, its connections must not keep using it: it gets a new zone. */
function zoneOf(
  before: Zone | undefined,
  { external }: NetworkInterface,
  numbers: { allocate: () => number },
): Zone {
  const ways = external.flatMap((one) =>
    ['', ...one.gateway_ids].map((gateway) => `${one.kind} ${portsOf(one)} ${gateway}`),
  )
  const isKept = before?.ways.every((way) => ways.includes(way)) ?? false
  return { number: before && isKept ? before.number : numbers.allocate(), ways }
}

const portsOf = ({ ip, first_port, last_port }: ExternalAddress): string => `${ip}:${first_port}-${last_port}`

/** An interface's part of a shared address. */
export interface Share {
  key: string
  interface: NetworkInterface
  external: ExternalAddress
}

export const shareKey = ({ id }: NetworkInterface, external: ExternalAddress): string =>
  `${id} ${portsOf(external)}`

export const sharesOf = ({ interfaces }: VpcNetwork): Share[] =>
  interfaces.flatMap((one) =>
    one.external
      .filter(({ kind }) => kind === 'snat')
      .map((external) => ({ key: shareKey(one, external), interface: one, external })),
  )
