import type { InstanceCreate } from '@gantry/api/compute/instance'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createDefaultVpc, createVpc } from './default-vpc.ts'
import { openWorld, type World } from '../in-force/network.fixtures.ts'
import { createInterfaces, deleteInterfaces, interfaceRequestProblem } from './interfaces.ts'
import { formatMac, parseIpv4, parseIpv4Block } from '../addresses/ip.ts'
import { deleteSubnet } from './subnets.ts'
import { deleteVpc } from './vpcs.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
  await world.run((tx) => createDefaultVpc(tx, world.project))
})
afterAll(() => world.close())

type InterfaceRequest = InstanceCreate['network_interfaces']
type ExpectedInterface = { subnet?: string; ip?: string; vpc?: string; name?: string }
const asking = (...all: ExpectedInterface[]): InterfaceRequest => ({
  type: 'create',
  params: all.map(({ subnet = 'default', ip, vpc = 'default', name = `net-${subnet}` }) => ({
    name,
    description: '',
    vpc_name: vpc,
    subnet_name: subnet,
    ip_config: {
      type: 'v4',
      value: { ip: ip === undefined ? { type: 'auto' } : { type: 'explicit', value: ip }, transit_ips: [] },
    },
  })),
})

let count = 0
async function instanceWith(wanted: InterfaceRequest) {
  const instance = await world.addInstance(`i${count++}`)
  const made = await world.run((tx) => createInterfaces(tx, instance, world.project, wanted))
  return { instance, made, ips: made.map((one) => one.ip), macs: made.map((one) => formatMac(one.mac_int)) }
}

async function addSubnet(name: string, text: string) {
  const block = parseIpv4Block(text)
  const vpc = await world
    .cx()
    .db.selectFrom('vpc')
    .selectAll()
    .where('name', '=', 'default')
    .executeTakeFirstOrThrow()
  return world.run((tx) =>
    tx.insert('vpc_subnet', {
      vpc_id: vpc.id,
      name,
      description: '',
      ipv4_block: text,
      ipv4_first: block?.first ?? 0,
      ipv4_last: block?.last ?? 0,
      ipv6_block: 'fd00::/64',
      custom_router_id: null,
    }),
  )
}

describe('the interfaces of a new instance', () => {
  test('by default one, in the default subnet, with ascending addresses', async () => {
    const first = await instanceWith({ type: 'default_ipv4' })
    expect(first.made).toMatchObject([
      {
        name: 'net0',
        description: `default primary interface for ${first.instance.name}`,
        is_primary: true,
        slot: 0,
      },
    ])
    expect([first.ips, first.macs]).toEqual([['172.30.0.5'], ['A8:40:25:F0:00:00']])
    const second = await instanceWith({ type: 'default_ipv4' })
    expect([second.ips, second.macs]).toEqual([['172.30.0.6'], ['A8:40:25:F0:00:01']])
    const third = await instanceWith({ type: 'default_ipv4' })
    await world.run((tx) => deleteInterfaces(tx, second.instance.id))
    // A gap is filled before higher numbers are used.
    expect((await instanceWith({ type: 'default_ipv4' })).ips).toEqual(second.ips)
    expect((await instanceWith({ type: 'default_ipv4' })).macs).toEqual(['A8:40:25:F0:00:03'])
    expect(third.ips).toEqual(['172.30.0.7'])
  })

  test('after an explicit address the next one is just below it', async () => {
    expect((await instanceWith(asking({ ip: '172.30.0.50' }))).ips).toEqual(['172.30.0.50'])
    expect((await instanceWith({ type: 'default_ipv4' })).ips).toEqual(['172.30.0.49'])
    await expect(instanceWith(asking({ ip: '172.30.0.49' }))).rejects.toThrow(
      "The IP address '172.30.0.49' is not available",
    )
  })

  test('none are created when none are requested', async () => {
    expect((await instanceWith({ type: 'none' })).made).toEqual([])
  })

  test('each has its own slot, the first is primary, and another VPC has its own MAC range', async () => {
    await addSubnet('blue', '10.0.0.0/26')
    const { made, ips, macs } = await instanceWith(asking({ subnet: 'blue' }, { subnet: 'default' }))
    expect(made.map((one) => [one.slot, one.is_primary])).toEqual([
      [0, true],
      [1, false],
    ])
    expect(ips).toEqual(['10.0.0.5', '172.30.0.5'])
    expect(macs).toEqual(['A8:40:25:F0:00:00', 'A8:40:25:F0:00:01'])
    await world.run((tx) =>
      createVpc(tx, world.project, { name: 'other', description: '', dns_name: 'other' }),
    )
    expect((await instanceWith(asking({ vpc: 'other' }))).macs).toEqual(['A8:40:25:F0:00:00'])
  })

  test.each([
    [asking({ vpc: 'gone' }), 'not found: vpc with name "gone"'],
    [asking({ subnet: 'gone' }), 'not found: vpc-subnet with name "gone"'],
    [asking({}, { name: 'again' }), 'Each interface must be in a distinct VPC Subnet'],
    [asking({ ip: '10.0.0.9' }), '10.0.0.9 is outside subnet 172.30.0.0/22'],
    [
      asking({ name: 'same' }, { name: 'same', subnet: 'blue' }),
      'already exists: instance-network-interface "same"',
    ],
  ])('refused %#', async (wanted, message) => {
    await addSubnet('blue', '10.0.0.0/26')
    await expect(instanceWith(wanted)).rejects.toThrow(message)
    expect(await world.cx().db.selectFrom('network_interface').select('id').execute()).toEqual([])
  })

  test('a full subnet is reported', async () => {
    const subnet = await addSubnet('tiny', '10.0.0.0/29')
    expect((await instanceWith(asking({ subnet: 'tiny' }))).ips).toEqual(['10.0.0.5'])
    expect((await instanceWith(asking({ subnet: 'tiny' }))).ips).toEqual(['10.0.0.6'])
    await expect(instanceWith(asking({ subnet: 'tiny' }))).rejects.toThrow(
      `No available IP addresses for interface in subnet 'tiny' with ID '${subnet.id}'`,
    )
  })

  test('concurrent requests get distinct addresses', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => instanceWith({ type: 'default_ipv4' })))
    const ips = all.flatMap((one) => one.ips).map((ip) => parseIpv4(ip ?? '') ?? 0)
    const first = parseIpv4('172.30.0.5') ?? 0
    expect(ips.toSorted((one, other) => one - other)).toEqual(ips.map((_, index) => first + index))
  })
})

describe('the list of requested interfaces', () => {
  test.each([
    [{ type: 'default_ipv4' } as const, undefined],
    [{ type: 'none' } as const, undefined],
    [asking({}), undefined],
    [asking(), 'All interfaces must be in the same VPC'],
    [asking({ vpc: 'a' }, { vpc: 'b' }), 'All interfaces must be in the same VPC'],
    [asking(...Array<ExpectedInterface>(8).fill({})), undefined],
    [
      asking(...Array<ExpectedInterface>(9).fill({})),
      'An instance may not have more than 8 network interfaces',
    ],
  ])('%#', (wanted, message) => expect(interfaceRequestProblem(wanted)?.message).toBe(message))
})

describe('deleting', () => {
  const vpcAt = { project: 'project', vpc: 'default' }
  const subnetAt = { ...vpcAt, subnet: 'default' }
  const counts = async () => {
    const tables = [
      'vpc',
      'vpc_subnet',
      'vpc_router',
      'router_route',
      'vpc_firewall_rule',
      'internet_gateway',
    ] as const
    const counted = tables.map(async (table) => {
      const rows = await world
        .cx()
        .db.selectFrom(table)
        .select('id')
        .where('time_deleted', 'is', null)
        .execute()
      return rows.length
    })
    return Promise.all(counted)
  }

  test('a subnet is deleted only without interfaces, together with its route', async () => {
    const { instance } = await instanceWith({ type: 'default_ipv4' })
    await expect(deleteSubnet(world.cx(), subnetAt)).rejects.toThrow(
      'VPC Subnet cannot be deleted while network interfaces in the subnet exist',
    )
    await world.run((tx) => deleteInterfaces(tx, instance.id))
    expect(await counts()).toEqual([1, 1, 1, 3, 3, 1])
    await deleteSubnet(world.cx(), subnetAt)
    expect(await counts()).toEqual([1, 0, 1, 2, 3, 1])
    await expect(deleteSubnet(world.cx(), subnetAt)).rejects.toThrow(
      'not found: vpc-subnet with name "default"',
    )
  })

  test('a VPC is deleted only without subnets, together with everything else', async () => {
    await expect(deleteVpc(world.cx(), vpcAt)).rejects.toThrow(
      'VPC cannot be deleted while VPC Subnets exist',
    )
    await deleteSubnet(world.cx(), subnetAt)
    await deleteVpc(world.cx(), vpcAt)
    expect(await counts()).toEqual([0, 0, 0, 0, 0, 0])
    await expect(deleteVpc(world.cx(), vpcAt)).rejects.toThrow('not found: vpc with name "default"')
    // Its name is free at once.
    await world.run((tx) => createDefaultVpc(tx, world.project))
    expect(await counts()).toEqual([1, 1, 1, 3, 3, 1])
  })
})
