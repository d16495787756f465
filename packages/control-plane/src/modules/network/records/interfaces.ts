import { sql } from 'kysely'
import { instanceLimits } from '@gantry/api/compute/instance.rules'
import type { InstanceCreate } from '@gantry/api/compute/instance'
import { automaticStack, selected } from '@gantry/api/network/ip-stack.rules'
import type { InterfaceCreate } from '@gantry/api/network/network-interface'
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
import { ipv6At, type Ipv6Columns, ipv6Of, usableOffsets } from '../addresses/ipv6.ts'
import { stackOfDefault, stacksWanted, type WantedStacks } from './ip-stack.ts'

type InterfaceRequest = InstanceCreate['network_interfaces']

/** Validates the list without any look-up (control plane reference, B 3.2). */
export function interfaceRequestProblem(wanted: InterfaceRequest): Refusal | undefined {
  if (wanted?.type !== 'create') return undefined
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
  if (list.length === 0) await noteInterfaces(tx, instance.id)
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
  const stacks = stacksWanted(tx.cx.services.fleet, wanted.ip_config)
  const addresses = await chooseAddresses(tx, subnet, stacks)
  return tx.insert('network_interface', {
    name: wanted.name,
    description: wanted.description,
    instance_id,
    probe_id,
    vpc_id: subnet.vpc_id,
    subnet_id: subnet.id,
    ...addresses,
    slot,
    is_primary,
    transit_ips: JSON.stringify(stacks.transit_ips),
  })
}

/** Notes whether the instance has any interface now. Requires a lock on its row, or that nothing else knows of it yet. */
export async function noteInterfaces(tx: Change, instanceId: string): Promise<void> {
  const has = sql`EXISTS (SELECT FROM network_interface WHERE instance_id = ${instanceId} AND time_deleted IS NULL)`
  await sql`UPDATE instance SET has_interfaces = ${has}
    WHERE id = ${instanceId} AND has_interfaces <> ${has}`.execute(tx.plain)
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
  await sql`UPDATE vpc_subnet SET free_ips_from = least(free_ips_from, ${row.ip_int}::int8),
    free_ipv6_from = least(free_ipv6_from, ${row.ipv6_offset}::int8) WHERE id = ${row.subnet_id}`.execute(
    tx.plain,
  )
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
  const isOwnFree = !(await isUsed(tx, subnet, row)) && !(await isMacUsed(tx, row))
  const { ip, ip_int, ipv6, ipv6_key, ipv6_offset, mac_int } = isOwnFree
    ? row
    : await chooseAddresses(tx, subnet, {
        ...(row.ip !== null && { v4: selected() }),
        ...(row.ipv6 !== null && { v6: selected() }),
      })
  return tx.restore('network_interface', row, { ip, ip_int, ipv6, ipv6_key, ipv6_offset, mac_int })
}

function listOf(wanted: InterfaceRequest, instance: Row<'instance'>): InterfaceCreate[] {
  if (wanted?.type === 'none') return []
  if (wanted?.type === 'create') return wanted.params
  const description = `default primary interface for ${instance.name}`
  const ip_config = wanted && automaticStack(stackOfDefault[wanted.type])
  return [{ name: 'net0', description, vpc_name: 'default', subnet_name: 'default', ip_config }]
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

type ChosenAddresses = Pick<Row<'network_interface'>, 'ip' | 'ip_int' | 'mac_int' | keyof Ipv6Columns>

async function chooseAddresses(
  tx: Change,
  subnet: LockedSubnet,
  { v4, v6 }: Omit<WantedStacks, 'transit_ips'>,
): Promise<ChosenAddresses> {
  const asked = {
    ip: v4?.ip.type === 'explicit' ? await needFree(tx, subnet, v4.ip.value) : undefined,
    ipv6: v6?.ip.type === 'explicit' ? await needFreeIpv6(tx, subnet, v6.ip.value) : undefined,
  }
  const range = {
    mac_int: searched(allVpcMacs, subnet.free_macs_from),
    ip_int: searched(usableAddresses(subnet), subnet.free_ips_from),
    ipv6_offset: searched(usableOffsets, subnet.free_ipv6_from),
  }
  const columns: (keyof typeof range)[] = ['mac_int']
  if (v4?.ip.type === 'auto') columns.push('ip_int')
  if (v6?.ip.type === 'auto') columns.push('ipv6_offset')
  const found = await chooseNumbers(
    tx.read,
    columns.map((column) => ({
      column,
      of: column === 'mac_int' ? subnet.vpc_id : subnet.id,
      range: range[column],
    })),
  )
  const choices = Object.fromEntries(columns.map((column, at) => [column, found[at]])) as Choices
  for (const column of columns) if (!choices[column]) throw exhausted[column](subnet)
  await beginLater(tx, subnet, range, choices)
  const { mac_int, ip_int, ipv6_offset } = choices
  const number = asked.ip ?? ip_int?.number ?? null
  const ipv6 = asked.ipv6 ?? (ipv6_offset ? ipv6At(subnet, ipv6_offset.number) : noIpv6)
  return {
    ...ipv6,
    ip_int: number,
    ip: number === null ? null : formatIpv4(number),
    mac_int: mac_int?.number ?? 0,
  }
}

type NumberColumn = 'mac_int' | 'ip_int' | 'ipv6_offset'
type Choices = Partial<Record<NumberColumn, Choice>>

const noIpv6 = { ipv6: null, ipv6_key: null, ipv6_offset: null }

const noAddress = ({ name, id }: LockedSubnet) =>
  invalid(
    `No available IP addresses for interface in subnet '${name}' with ID '${id}'`,
    'Use another subnet, or delete instances that use this one.',
  )
const exhausted: Readonly<Record<NumberColumn, (subnet: LockedSubnet) => Refusal>> = {
  mac_int: ({ vpc_name, vpc_id }) =>
    invalid(
      `No available MAC addresses for interface in VPC '${vpc_name}' with ID '${vpc_id}'`,
      `All addresses up to ${formatMac(allVpcMacs.last)} are in use. Use another VPC.`,
    ),
  ip_int: noAddress,
  ipv6_offset: noAddress,
}

/** Advances the search starts; written rarely, because they need only be close. */
async function beginLater(
  tx: Change,
  subnet: LockedSubnet,
  range: Readonly<Record<NumberColumn, NumberRange>>,
  choices: Choices,
): Promise<void> {
  for (const [column, start] of searchStarts) {
    const choice = choices[column]
    if (!choice || !isFarBehind(choice.freeFrom, range[column].first)) continue
    const [table, id] = column === 'mac_int' ? ['vpc', subnet.vpc_id] : ['vpc_subnet', subnet.id]
    await sql`UPDATE ${sql.table(table)} SET ${sql.ref(start)} = ${choice.freeFrom} WHERE id = ${id}`.execute(
      tx.plain,
    )
  }
}

const searchStarts = [
  ['mac_int', 'free_macs_from'],
  ['ip_int', 'free_ips_from'],
  ['ipv6_offset', 'free_ipv6_from'],
] as const

/** The requested address, if available. */
async function needFree(tx: Change, subnet: Row<'vpc_subnet'>, asked: string): Promise<number> {
  refuseIf(addressProblem(asked, subnet))
  const ip_int = parseIpv4(asked)
  if (ip_int !== undefined && !(await isUsed(tx, subnet, { ip_int, ipv6_key: null }))) return ip_int
  throw notAvailable(asked)
}

async function needFreeIpv6(tx: Change, subnet: Row<'vpc_subnet'>, asked: string): Promise<Ipv6Columns> {
  const found = ipv6Of(subnet, asked)
  const help = `Choose an address of ${subnet.ipv6_block} behind the first five, or leave it out to get a free one.`
  if (!found) throw invalid(`${asked} is outside subnet ${subnet.ipv6_block}`, help)
  const { isReserved, ...columns } = found
  if (isReserved) throw invalid(firstAreReserved, help)
  if (await isUsed(tx, subnet, { ip_int: null, ipv6_key: columns.ipv6_key })) throw notAvailable(columns.ipv6)
  return columns
}

const notAvailable = (asked: string): Refusal =>
  invalid(
    `The IP address '${asked}' is not available`,
    'Choose another address, or leave it out to get a free one.',
  )

const firstAreReserved = 'The first 5 addresses of a subnet are reserved'

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
  if (ip < first) return invalid(firstAreReserved, help)
  return ip > last ? invalid('Cannot request a broadcast address', help) : undefined
}

/** Whether another interface has one of the addresses. */
async function isUsed(
  tx: Change,
  subnet: Row<'vpc_subnet'>,
  { ip_int, ipv6_key }: Pick<Row<'network_interface'>, 'ip_int' | 'ipv6_key'>,
): Promise<boolean> {
  const row = await tx.read
    .selectFrom('network_interface')
    .select('id')
    .where('subnet_id', '=', subnet.id)
    .where((eb) => eb.or([eb('ip_int', '=', ip_int), eb('ipv6_key', '=', ipv6_key)]))
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
