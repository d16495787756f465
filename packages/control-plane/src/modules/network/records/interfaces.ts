import { sql } from 'kysely'
import { instanceLimits } from '@gantry/api/compute/instance.rules'
import type { InstanceCreate } from '@gantry/api/compute/instance'
import type { InterfaceCreate, IpStackCreate } from '@gantry/api/network/network-interface'
import { subnetProblems } from '@gantry/api/network/network-interface.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import { invalid, notFound, type Refusal, refuseIf } from '@gantry/control-plane/context/refusal'
import {
  allVpcMacs,
  type Choice,
  chooseNumbers,
  isFarBehind,
  type NumberRange,
  searched,
  usableAddresses,
} from '../addresses/choose-address.ts'
import { formatIpv4, formatMac, parseIpv4 } from '../addresses/ip.ts'

type InterfaceRequest = InstanceCreate['network_interfaces']

/** Validates the list without any look-up (control plane reference, B 3.2). */
export function interfaceRequestProblem(wanted: InterfaceRequest): Refusal | undefined {
  if (wanted.type !== 'create') return undefined
  const limit = instanceLimits.networkInterfaces
  if (wanted.params.length > limit)
    return invalid(
      `An instance may not have more than ${limit} network interfaces`,
      `Request at most ${limit} interfaces.`,
    )
  if (new Set(wanted.params.map((one) => one.vpc_name)).size !== 1)
    return invalid(
      subnetProblems.severalVpcs,
      'Use the same VPC in every interface, or set the type to "none" for no interfaces.',
    )
  return undefined
}

/**
 * Creates the interfaces of a new instance; the first is primary. Adding an interface locks the VPC's row, so
 * that addresses and MACs are assigned one at a time.
 */
export async function createInterfaces(
  tx: Change,
  instance: Row<'instance'>,
  project: Row<'project'>,
  wanted: InterfaceRequest,
): Promise<Row<'network_interface'>[]> {
  refuseIf(interfaceRequestProblem(wanted))
  const list = listOf(wanted, instance)
  const [first] = list
  if (!first) return []
  const holder = { instance_id: instance.id, probe_id: null }
  const made: Row<'network_interface'>[] = []
  for (const [slot, one] of list.entries()) {
    const subnet = await lockSubnet(tx, project, one)
    if (made.some((other) => other.subnet_id === subnet.id)) throw sameSubnet
    made.push(await insertInterface(tx, holder, { subnet, slot, is_primary: slot === 0 }, one))
  }
  return made
}

interface InterfaceSlot {
  subnet: LockedSubnet
  slot: number
  is_primary: boolean
}

type Holder = Pick<Row<'network_interface'>, 'instance_id' | 'probe_id'>

/** Chooses the interface's addresses. */
export async function insertInterface(
  tx: Change,
  { instance_id, probe_id }: Holder,
  { subnet, slot, is_primary }: InterfaceSlot,
  wanted: Omit<InterfaceCreate, 'vpc_name' | 'subnet_name'>,
): Promise<Row<'network_interface'>> {
  const { ip, transit_ips } = ipv4Of(wanted.ip_config)
  const asked = ip.type === 'explicit' ? ip.value : undefined
  const { ip_int, mac_int } = await chooseAddresses(tx, subnet, asked)
  return tx.insert('network_interface', {
    name: wanted.name,
    description: wanted.description,
    instance_id,
    probe_id,
    vpc_id: subnet.vpc_id,
    subnet_id: subnet.id,
    mac_int,
    ip: formatIpv4(ip_int),
    ip_int,
    slot,
    is_primary,
    transit_ips: JSON.stringify(transit_ips),
  })
}

/** An address that the platform selects. */
export const automatic: IpStackCreate = { type: 'v4', value: { ip: { type: 'auto' }, transit_ips: [] } }

/** Interfaces of this platform have an address of IPv4. Another that is asked for is outside the subnet. */
function ipv4Of(config: IpStackCreate) {
  if (config.type === 'v4' || (config.type === 'v6' && config.value.ip.type === 'explicit'))
    return config.value
  throw invalid(
    'network interfaces with IPv6 addresses are not supported',
    'Ask for an `ip_config` of type `v4`, or leave it out.',
  )
}

/** The instance that the interface belongs to; a probe's is never found as an object of its own. */
export function instanceIdOf({ id, instance_id }: Row<'network_interface'>): string {
  if (instance_id === null) throw new Error(`network interface ${id} belongs to no instance`)
  return instance_id
}

/** By slot, locked until the transaction ends. Requires a lock on the instance's row. */
export const interfacesOf = (tx: Change, instanceId: string): Promise<Row<'network_interface'>[]> =>
  tx.read
    .selectFrom('network_interface')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('time_deleted', 'is', null)
    .orderBy('slot')
    .forUpdate()
    .execute()

/** Called when an instance is deleted; the addresses are free at once. */
export async function deleteInterfaces(tx: Change, instanceId: string): Promise<void> {
  for (const row of await interfacesOf(tx, instanceId)) await removeInterface(tx, row)
}

/**
 * Moves the search starts back to its addresses. Waits for concurrent allocations, which cannot see the
 * release yet.
 */
export async function removeInterface(tx: Change, row: Row<'network_interface'>): Promise<void> {
  await tx.remove('network_interface', row)
  await sql`UPDATE vpc SET free_macs_from = least(free_macs_from, ${row.mac_int})
    WHERE id = ${row.vpc_id}`.execute(tx.plain)
  await sql`UPDATE vpc_subnet SET free_ips_from = least(free_ips_from, ${row.ip_int})
    WHERE id = ${row.subnet_id}`.execute(tx.plain)
}

/**
 * Brings back an interface of an instance that is restored, with other addresses where its own have been taken.
 * Undefined if its subnet is gone.
 */
export async function restoreInterface(
  tx: Change,
  row: Row<'network_interface'>,
): Promise<Row<'network_interface'> | undefined> {
  const subnet = await lockSubnetWhere(tx, { id: row.subnet_id })
  if (!subnet) return undefined
  const isOwnFree = !(await isUsed(tx, subnet, row.ip_int)) && !(await isMacUsed(tx, row))
  const { ip_int, mac_int } = isOwnFree ? row : await chooseAddresses(tx, subnet, undefined)
  return tx.restore('network_interface', row, { ip_int, ip: formatIpv4(ip_int), mac_int })
}

function listOf(wanted: InterfaceRequest, instance: Row<'instance'>): InterfaceCreate[] {
  if (wanted.type === 'none') return []
  if (wanted.type === 'create') return wanted.params
  if (wanted.type !== 'default_ipv4')
    throw invalid(
      'network interfaces with IPv6 addresses are not supported',
      'Ask for `default_ipv4`, or leave `network_interfaces` out.',
    )
  const description = `default primary interface for ${instance.name}`
  return [{ name: 'net0', description, vpc_name: 'default', subnet_name: 'default', ip_config: automatic }]
}

/** A subnet with what is allocated in its VPC. */
export type LockedSubnet = Row<'vpc_subnet'> & { vpc_name: string; free_macs_from: number }

/** Locks a subnet and its VPC, so that addresses and MACs are assigned one at a time. */
export async function lockSubnet(
  tx: Change,
  project: Pick<Row<'project'>, 'id'>,
  { vpc_name, subnet_name }: Pick<InterfaceCreate, 'vpc_name' | 'subnet_name'>,
): Promise<LockedSubnet> {
  const subnet = await lockSubnetWhere(tx, { project_id: project.id, vpc_name, subnet_name })
  if (subnet) return subnet
  const vpc = tx.read
    .selectFrom('vpc')
    .select('id')
    .where('project_id', '=', project.id)
    .where('name', '=', vpc_name)
    .where('time_deleted', 'is', null)
  if (await vpc.executeTakeFirst()) throw notFound('vpc-subnet', { name: subnet_name })
  throw notFound('vpc', { name: vpc_name })
}

type SubnetSelector = { id: string } | { project_id: string; vpc_name: string; subnet_name: string }

function lockSubnetWhere(tx: Change, which: SubnetSelector): Promise<LockedSubnet | undefined> {
  const live = tx.read
    .selectFrom('vpc')
    .innerJoin('vpc_subnet', 'vpc_subnet.vpc_id', 'vpc.id')
    .selectAll('vpc_subnet')
    .select(['vpc.name as vpc_name', 'vpc.free_macs_from'])
    .where('vpc.time_deleted', 'is', null)
    .where('vpc_subnet.time_deleted', 'is', null)
    .forUpdate()
  return (
    'id' in which
      ? live.where('vpc_subnet.id', '=', which.id)
      : live
          .where('vpc.project_id', '=', which.project_id)
          .where('vpc.name', '=', which.vpc_name)
          .where('vpc_subnet.name', '=', which.subnet_name)
  ).executeTakeFirst()
}

export const sameSubnet = invalid(subnetProblems.sameSubnet, 'Choose another subnet for each interface.')

async function chooseAddresses(
  tx: Change,
  subnet: LockedSubnet,
  asked: string | undefined,
): Promise<{ ip_int: number; mac_int: number }> {
  const askedIp = asked === undefined ? undefined : await needFree(tx, subnet, asked)
  const macs = searched(allVpcMacs, subnet.free_macs_from)
  const ips = searched(usableAddresses(subnet), subnet.free_ips_from)
  const macSearch = { scope: { column: 'mac_int', vpc_id: subnet.vpc_id }, range: macs } as const
  const ipSearch = { scope: { column: 'ip_int', subnet_id: subnet.id }, range: ips } as const
  const [mac, ip] = await chooseNumbers(tx.read, askedIp === undefined ? [macSearch, ipSearch] : [macSearch])
  if (askedIp === undefined && !ip)
    throw invalid(
      `No available IP addresses for interface in subnet '${subnet.name}' with ID '${subnet.id}'`,
      'Use another subnet, or delete instances that use this one.',
    )
  if (!mac)
    throw invalid(
      `No available MAC addresses for interface in VPC '${subnet.vpc_name}' with ID '${subnet.vpc_id}'`,
      `All addresses up to ${formatMac(allVpcMacs.last)} are in use. Use another VPC.`,
    )
  await beginLater(tx, subnet, mac, ip)
  return { ip_int: askedIp ?? ip?.number ?? 0, mac_int: mac.number }
}

/** Advances the search start; written rarely, because it need only be close. */
async function beginLater(
  tx: Change,
  subnet: LockedSubnet,
  mac: Choice,
  ip: Choice | undefined,
): Promise<void> {
  if (isFarBehind(mac.freeFrom, searched(allVpcMacs, subnet.free_macs_from).first))
    await sql`UPDATE vpc SET free_macs_from = ${mac.freeFrom} WHERE id = ${subnet.vpc_id}`.execute(tx.plain)
  if (ip && isFarBehind(ip.freeFrom, searched(usableAddresses(subnet), subnet.free_ips_from).first))
    await sql`UPDATE vpc_subnet SET free_ips_from = ${ip.freeFrom} WHERE id = ${subnet.id}`.execute(tx.plain)
}

/** The requested address, if available. */
async function needFree(tx: Change, subnet: Row<'vpc_subnet'>, asked: string): Promise<number> {
  refuseIf(addressProblem(asked, subnet))
  const ip = parseIpv4(asked)
  if (ip !== undefined && !(await isUsed(tx, subnet, ip))) return ip
  throw invalid(
    `The IP address '${asked}' is not available`,
    'Choose another address, or leave it out to get a free one.',
  )
}

/** Why an address may not be requested in a subnet (control plane reference, B 14.2). */
export function addressProblem(
  asked: string,
  subnet: Pick<Row<'vpc_subnet'>, 'ipv4_block' | 'ipv4_first' | 'ipv4_last'>,
): Refusal | undefined {
  const ip = parseIpv4(asked)
  const { first, last }: NumberRange = usableAddresses(subnet)
  const help = `Choose an address from ${formatIpv4(first)} to ${formatIpv4(last)}, or leave it out to get a free one.`
  if (ip === undefined || ip < subnet.ipv4_first || ip > subnet.ipv4_last)
    return invalid(`${asked} is outside subnet ${subnet.ipv4_block}`, help)
  if (ip < first) return invalid('The first 5 addresses of a subnet are reserved', help)
  return ip > last ? invalid('Cannot request a broadcast address', help) : undefined
}

async function isUsed(tx: Change, subnet: Row<'vpc_subnet'>, ip: number): Promise<boolean> {
  const row = await tx.read
    .selectFrom('network_interface')
    .select('id')
    .where('subnet_id', '=', subnet.id)
    .where('ip_int', '=', ip)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

async function isMacUsed(
  tx: Change,
  { vpc_id, mac_int }: Pick<Row<'network_interface'>, 'vpc_id' | 'mac_int'>,
): Promise<boolean> {
  const row = await tx.read
    .selectFrom('network_interface')
    .select('id')
    .where('vpc_id', '=', vpc_id)
    .where('mac_int', '=', mac_int)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
