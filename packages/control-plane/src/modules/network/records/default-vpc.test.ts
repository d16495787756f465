import { isVpcPrefix } from '@gantry/api/network/vpc.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Tables, TrackedName } from '@gantry/control-plane/db/tables'
import { createDefaultVpc, createVpc } from './default-vpc.ts'
import { openWorld, type World } from '../in-force/network.fixtures.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const live = (table: TrackedName & keyof Tables, column: string, id: string) =>
  world
    .cx()
    .db.selectFrom(table as 'vpc_subnet')
    .selectAll()
    .where(column as 'vpc_id', '=', id)
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()

describe('the network of a new project', () => {
  test('contains a router with three routes, a subnet, a gateway and three rules', async () => {
    await world.run((tx) => createDefaultVpc(tx, world.project))
    const [vpc] = await world.cx().db.selectFrom('vpc').selectAll().execute()
    if (!vpc) throw new Error('no VPC')
    expect(vpc).toMatchObject({
      name: 'default',
      description: 'Default VPC',
      dns_name: 'default',
      generation: 1,
    })
    expect(isVpcPrefix(vpc.ipv6_prefix)).toBe(true)
    expect(vpc.vni).toBeLessThan(2 ** 24)

    const [subnet, ...otherSubnets] = await live('vpc_subnet', 'vpc_id', vpc.id)
    expect(otherSubnets).toEqual([])
    expect(subnet).toMatchObject({
      name: 'default',
      description: 'The default subnet for default',
      ipv4_block: '172.30.0.0/22',
      ipv6_block: vpc.ipv6_prefix.replace('/48', '/64'),
      custom_router_id: null,
    })

    expect(await live('vpc_router', 'vpc_id', vpc.id)).toMatchObject([
      {
        id: vpc.system_router_id,
        name: 'system',
        kind: 'system',
        description: 'Routes are automatically added to this router as VPC subnets are created',
      },
    ])
    const toGateway = { type: 'internet_gateway', value: 'default' }
    const itself = { type: 'subnet', value: 'default' }
    expect(await live('router_route', 'vpc_router_id', vpc.system_router_id)).toMatchObject([
      {
        name: 'default',
        description: 'System-managed VPC Subnet route.',
        kind: 'vpc_subnet',
        destination: itself,
        target: itself,
        vpc_subnet_id: subnet?.id,
      },
      {
        name: 'default-v4',
        description: 'The default route of a vpc',
        kind: 'default',
        destination: { type: 'ip_net', value: '0.0.0.0/0' },
        target: toGateway,
      },
      {
        name: 'default-v6',
        kind: 'default',
        destination: { type: 'ip_net', value: '::/0' },
        target: toGateway,
      },
    ])

    const [gateway] = await live('internet_gateway', 'vpc_id', vpc.id)
    expect(gateway).toMatchObject({
      name: 'default',
      description: 'Automatically created default VPC gateway',
    })
    // The silo has no default pool yet.
    expect(await live('internet_gateway_ip_pool', 'internet_gateway_id', gateway?.id ?? '')).toEqual([])

    const own = { type: 'vpc', value: 'default' }
    const rule = {
      status: 'enabled',
      direction: 'inbound',
      action: 'allow',
      priority: 65_534,
      targets: [own],
    }
    expect(await live('vpc_firewall_rule', 'vpc_id', vpc.id)).toMatchObject([
      {
        ...rule,
        name: 'allow-icmp',
        description: 'allow inbound ICMP traffic from anywhere',
        filters: { hosts: null, ports: null, protocols: [{ type: 'icmp', value: null }] },
      },
      {
        ...rule,
        name: 'allow-internal-inbound',
        description: 'allow inbound traffic to all instances within the VPC if originated within the VPC',
        filters: { hosts: [own], ports: null, protocols: null },
      },
      {
        ...rule,
        name: 'allow-ssh',
        description: 'allow inbound TCP connections on port 22 from anywhere',
        filters: { hosts: null, ports: ['22'], protocols: [{ type: 'tcp' }] },
      },
    ])
  })

  test("attaches the silo's default pool to the gateway", async () => {
    const pool = await world.addPool('pool', [['10.0.0.1', '10.0.0.5']])
    const wanted = { name: 'second', description: '', dns_name: 'second', ipv6_prefix: 'fd12:3456:789a::/48' }
    const vpc = await world.run((tx) => createVpc(tx, world.project, wanted))
    const [gateway] = await live('internet_gateway', 'vpc_id', vpc.id)
    expect(await live('internet_gateway_ip_pool', 'internet_gateway_id', gateway?.id ?? '')).toMatchObject([
      { name: 'default', description: 'Automatically attached default IP pool', ip_pool_id: pool.id },
    ])
    expect(await live('vpc_subnet', 'vpc_id', vpc.id)).toMatchObject([{ ipv6_block: 'fd12:3456:789a::/64' }])
  })

  test('refuses a non-local prefix, and a duplicate name', async () => {
    const wanted = { name: 'third', description: '', dns_name: 'third' }
    await expect(
      world.run((tx) => createVpc(tx, world.project, { ...wanted, ipv6_prefix: '2001:db8::/48' })),
    ).rejects.toThrow(
      'VPC IPv6 address prefixes must be in the Unique Local Address range `fd00::/48` (RFD 4193)',
    )
    await expect(
      world.run((tx) => createVpc(tx, world.project, { ...wanted, name: 'second' })),
    ).rejects.toThrow('already exists: vpc "second"')
  })
})
