import { createHash } from 'node:crypto'
import { formatIpv4 } from '@gantry/control-plane/modules/network/addresses/ip'
import type { ExternalAddress, NetworkInterface, NetworkSubnet } from '@gantry/control-plane/fleet/networks'
import { HOST_NUMBER } from './numbers.ts'
import { shareKey, type VpcRecord } from './vpc-record.ts'

/** The name of a VPC's link to its host, inside the VPC. */
export const UPLINK = 'wan'

/** A tap, which connects an interface in its VPC's namespace. */
export interface Tap {
  name: string
  interface: NetworkInterface
  machine_id: string
  subnet: NetworkSubnet
  /** The routing table that leads to it, if a route does. */
  table: number | undefined
}

/** Unique among all starts of all instances, in the 15 characters that Linux allows. */
const tapName = (machineId: string, interfaceId: string): string =>
  `t${createHash('sha256').update(`${machineId} ${interfaceId}`).digest('hex').slice(0, 12)}`

/** The machine, interface and user of a tap, which the kernel stores with it. */
export interface TapAlias {
  machine_id: string
  interface_id: string
  uid: number
}
export const aliasOf = ({ machine_id, interface: { id } }: Tap, uid: number): string =>
  `${machine_id} ${id} ${uid}`
export function readAlias(alias: string | undefined): TapAlias | undefined {
  const [machine_id, interface_id, uid] = alias?.split(' ') ?? []
  return machine_id && interface_id && uid ? { machine_id, interface_id, uid: Number(uid) } : undefined
}

/** The taps of all interfaces that have a machine. */
export function tapsOf({ network: { interfaces, subnets }, tables }: VpcRecord): Tap[] {
  const byId = new Map(subnets.map((subnet) => [subnet.id, subnet]))
  return interfaces.flatMap((one) => {
    const subnet = byId.get(one.subnet_id)
    if (one.machine_id === null || !subnet) return []
    const name = tapName(one.machine_id, one.id)
    return [{ name, interface: one, machine_id: one.machine_id, subnet, table: tables[one.id] }]
  })
}

/** How packets of an interface leave by a gateway. */
export interface Way {
  gateway_id: string
  external: ExternalAddress
  /** Their source address between VPC and host: their external one, or one that represents a shared one. */
  source: string
}

/** Each gateway that carries an external address of the interface, with the preferred address. */
export function waysOf(one: NetworkInterface, { transit }: VpcRecord, base: number): Way[] {
  const gateways = new Set(one.external.flatMap(({ gateway_ids }) => gateway_ids))
  return [...gateways].sort().flatMap((gateway_id) => {
    const external = one.external.find(({ gateway_ids }) => gateway_ids.includes(gateway_id))
    const number = external?.kind === 'snat' ? transit[shareKey(one, external)] : undefined
    if (!external) return []
    return [{ gateway_id, external, source: number === undefined ? external.ip : address(base, number) }]
  })
}

/** The address with a number, in the driver's own block. */
export const address = (base: number, number: number): string => formatIpv4(base + number)
export const hostAddress = (base: number): string => address(base, HOST_NUMBER)

/** An interface's addresses that others can reach. */
export const reachableOf = ({ external }: NetworkInterface): string[] =>
  external.filter(({ kind }) => kind !== 'snat').map(({ ip }) => ip)

/** A VPC's addresses that others can reach. */
export const reachableAddresses = ({ network }: VpcRecord): string[] => [
  ...new Set(network.interfaces.flatMap(reachableOf)),
]
