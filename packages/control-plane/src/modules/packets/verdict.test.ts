import { packetReasons } from '@gantry/api/network/packet.rules'
import { describe, expect, test } from 'vitest'
import { type End, type Opinion, secondOpinion } from './brute-force.fixtures.ts'
import { ip, type NetworkRows, type RuleRow } from './model.ts'
import { type Network, prepareNetwork } from './network.ts'
import { Chance, dice } from './random-network.fixtures.ts'
import { matchedTarget, type Packet } from './rules.ts'
import { type Endpoint, evaluatePacket, versionOf } from './verdict.ts'

function endpoint(network: Network, end: End): Endpoint {
  if (end.type === 'internet') return end
  if (end.type === 'ip') return { type: 'ip', address: ip(end.text) }
  const instance = network.instances.get(end.id)
  if (!instance) throw new Error(`there is no ${end.id}`)
  return { type: 'instance', instance }
}

function opinion(network: Network, from: End, to: End, packet: Packet, version?: 4 | 6): Opinion {
  const verdict = evaluatePacket(network, endpoint(network, from), endpoint(network, to), packet, version)
  const { reason, outbound, inbound, route, gateway, external, receiver } = verdict
  return {
    reason,
    ...(outbound ? { outbound: outbound.rule.name } : {}),
    ...(inbound ? { inbound: inbound.rule.name } : {}),
    ...(route ? { route: route.route.id } : {}),
    ...(gateway ? { gateway: gateway.name } : {}),
    ...(external ? { external } : {}),
    ...(receiver ? { receiver: receiver.id } : {}),
  }
}

test('agrees with an independent implementation on 100,000 random cases, covering every verdict', () => {
  const chance = new Chance(dice(11))
  const end = (): End =>
    chance.pick([
      (): End => ({ type: 'instance', id: `instance-${chance.roll(5)}` }),
      (): End => ({ type: 'instance', id: `instance-${chance.roll(5)}` }),
      (): End => ({ type: 'ip', text: chance.address() }),
      (): End => ({ type: 'internet' }),
    ])()
  const count = new Map<string, number>()
  const disagreements: unknown[] = []
  for (let turn = 0; turn < 2000; turn++) {
    const rows = chance.network(chance.roll(25))
    const network = prepareNetwork(rows)
    for (let more = 0; more < 50; more++) {
      const [from, to, packet] = [end(), end(), chance.packet()]
      const version = versionOf(
        endpoint(network, from),
        endpoint(network, to),
        packet,
        chance.roll(2) ? 6 : undefined,
      )
      // The ends contradict each other: the service refuses them.
      if (!version) continue
      const [ours, theirs] = [
        opinion(network, from, to, packet, version),
        secondOpinion(rows, from, to, packet, version),
      ]
      count.set(ours.reason, (count.get(ours.reason) ?? 0) + 1)
      const keys = Object.keys({ ...ours, ...theirs }) as (keyof Opinion)[]
      if (keys.some((key) => ours[key] !== theirs[key]) && disagreements.length < 3)
        disagreements.push({ from, to, packet, ours, theirs, rows })
    }
  }
  expect(disagreements).toEqual([])
  for (const reason of Object.keys(packetReasons))
    expect([reason, (count.get(reason) ?? 0) > 100]).toEqual([reason, true])
})

/** Two instances in two subnets, one of which has a floating address. */
const base: NetworkRows = {
  vpc: { id: 'vpc', name: 'net', dns_name: 'net', vni: 1 },
  subnets: [
    { id: 'a', name: 'a', ipv4_block: '10.0.0.0/24', ipv6_block: 'fd00::/64', custom_router_id: null },
    {
      id: 'b',
      name: 'b',
      ipv4_block: '10.0.1.0/24',
      ipv6_block: 'fd00:0:0:1::/64',
      custom_router_id: 'custom',
    },
  ],
  instances: [
    { id: 'web', name: 'web', hostname: 'web' },
    { id: 'db', name: 'db', hostname: 'db' },
  ],
  interfaces: [
    {
      id: 'w0',
      name: 'net0',
      instance_id: 'web',
      subnet_id: 'a',
      mac_int: 0xa8_40_25_f0_00_00,
      ip: '10.0.0.5',
      ipv6: null,
      is_primary: true,
      transit_ips: [],
    },
    {
      id: 'd0',
      name: 'net0',
      instance_id: 'db',
      subnet_id: 'b',
      mac_int: 0xa8_40_25_f0_00_01,
      ip: '10.0.1.5',
      ipv6: null,
      is_primary: true,
      transit_ips: [],
    },
  ],
  externalSubnets: [],
  externalIps: [
    {
      kind: 'floating',
      ip: '198.51.100.1',
      first_port: 0,
      last_port: 65_535,
      ip_pool_id: 'pool',
      instance_id: 'web',
    },
    {
      kind: 'snat',
      ip: '198.51.100.2',
      first_port: 0,
      last_port: 16_383,
      ip_pool_id: 'pool',
      instance_id: 'db',
    },
  ],
  rules: [],
  routers: [
    { id: 'system', name: 'system', kind: 'system' },
    { id: 'custom', name: 'custom', kind: 'custom' },
  ],
  routes: [
    route('a', 'system', { type: 'subnet', value: 'a' }, { type: 'subnet', value: 'a' }),
    route('b', 'system', { type: 'subnet', value: 'b' }, { type: 'subnet', value: 'b' }),
    route(
      'out',
      'system',
      { type: 'ip_net', value: '0.0.0.0/0' },
      { type: 'internet_gateway', value: 'default' },
    ),
  ],
  gateways: [{ id: 'gw', name: 'default' }],
  gatewayPools: [{ internet_gateway_id: 'gw', ip_pool_id: 'pool' }],
  gatewayAddresses: [],
}
function route(
  name: string,
  vpc_router_id: string,
  destination: NetworkRows['routes'][number]['destination'],
  target: NetworkRows['routes'][number]['target'],
): NetworkRows['routes'][number] {
  return { id: name, name, vpc_router_id, destination, target }
}
const rule = (name: string, more: Partial<RuleRow> = {}): RuleRow => ({
  id: null,
  name,
  status: 'enabled',
  direction: 'inbound',
  action: 'allow',
  priority: 100,
  targets: [{ type: 'vpc', value: 'net' }],
  filters: {},
  ...more,
})
const ssh: Packet = { type: 'tcp', port: 22 }
const web: End = { type: 'instance', id: 'web' }
const db: End = { type: 'instance', id: 'db' }
const internet: End = { type: 'internet' }
const ask = (from: End, to: End, more: Partial<NetworkRows> = {}, packet: Packet = ssh): Opinion =>
  opinion(prepareNetwork({ ...base, ...more }), from, to, packet)

describe('common questions', () => {
  test('without rules, inbound is denied and outbound allowed', () => {
    expect(ask(web, db)).toEqual({ reason: 'nothing_allows', route: 'b', receiver: 'd0' })
    expect(ask(internet, web)).toMatchObject({
      reason: 'nothing_allows',
      gateway: 'default',
      external: '198.51.100.1',
    })
    expect(ask(web, internet)).toMatchObject({
      reason: 'leaves',
      gateway: 'default',
      external: '198.51.100.1',
    })
    expect(ask(db, internet)).toMatchObject({ reason: 'leaves', external: '198.51.100.2' })
    expect(ask(internet, db)).toEqual({ reason: 'no_external_address' })
  })

  test('the lower priority value wins, and on equal priority deny', () => {
    const rules = [rule('a-allow'), rule('b-deny', { action: 'deny' })]
    expect(ask(web, db, { rules })).toMatchObject({ reason: 'inbound_denied', inbound: 'b-deny' })
    const sooner = [...rules, rule('z-allow', { priority: 99 })]
    expect(ask(web, db, { rules: sooner })).toMatchObject({ reason: 'arrives', inbound: 'z-allow' })
    const off = [rule('a-allow'), rule('b-deny', { action: 'deny', status: 'disabled' })]
    expect(ask(web, db, { rules: off })).toMatchObject({ reason: 'arrives', inbound: 'a-allow' })
  })

  test("an outbound rule's filters match the destination", () => {
    const rules = [
      rule('in'),
      rule('no-db', {
        direction: 'outbound',
        action: 'deny',
        filters: { hosts: [{ type: 'instance', value: 'db' }] },
      }),
    ]
    expect(ask(web, db, { rules })).toEqual({ reason: 'outbound_denied', outbound: 'no-db' })
    expect(ask(web, internet, { rules })).toMatchObject({ reason: 'leaves' })
  })

  test('all kinds of filters must match, and an empty one restricts nothing', () => {
    const filters = { hosts: [], ports: ['20-30'], protocols: [{ type: 'tcp' as const }] }
    const rules = [rule('ssh', { filters })]
    expect(ask(web, db, { rules })).toMatchObject({ reason: 'arrives' })
    for (const packet of [
      { type: 'tcp', port: 31 },
      { type: 'udp', port: 22 },
      { type: 'icmp', icmp_type: 8, icmp_code: 0 },
    ] as const)
      expect(ask(web, db, { rules }, packet)).toMatchObject({ reason: 'nothing_allows' })
  })

  test('a custom router wins over the system router on equal terms, and only for its subnets', () => {
    const drop = route('no-out', 'custom', { type: 'ip_net', value: '0.0.0.0/0' }, { type: 'drop' })
    const routes = [...base.routes, drop]
    expect(ask(db, internet, { routes })).toMatchObject({ reason: 'route_drops', route: 'no-out' })
    expect(ask(web, internet, { routes })).toMatchObject({ reason: 'leaves' })
    const via = route('via', 'custom', { type: 'ip', value: '8.8.8.8' }, { type: 'instance', value: 'web' })
    const there: End = { type: 'ip', text: '8.8.8.8' }
    const more = { routes: [...routes, via], rules: [rule('in')] }
    expect(ask(db, there, more)).toMatchObject({ reason: 'not_forwarded', route: 'via', receiver: 'w0' })
    const interfaces = base.interfaces.map((nic) => ({ ...nic, transit_ips: ['8.0.0.0/8'] }))
    expect(ask(db, there, { ...more, interfaces })).toMatchObject({ reason: 'arrives', receiver: 'w0' })
    const lost = route(
      'gone',
      'custom',
      { type: 'ip', value: '8.8.8.8' },
      { type: 'instance', value: 'gone' },
    )
    expect(ask(db, there, { routes: [...base.routes, lost] })).toMatchObject({
      reason: 'leaves',
      route: 'out',
    })
  })

  test('without a gateway that carries the address, no packet gets in or out', () => {
    expect(ask(internet, web, { gatewayPools: [] })).toMatchObject({ reason: 'no_way_back' })
    expect(ask(web, internet, { gatewayPools: [] })).toMatchObject({ reason: 'no_external_address' })
    const gatewayAddresses = [{ internet_gateway_id: 'gw', address: '198.51.100.1' }]
    expect(ask(web, internet, { gatewayPools: [], gatewayAddresses })).toMatchObject({ reason: 'leaves' })
  })

  test('an external address is reached from inside like from outside', () => {
    const filters = { hosts: [{ type: 'ip' as const, value: '198.51.100.2' }] }
    const to: End = { type: 'ip', text: '198.51.100.1' }
    expect(ask(db, to, { rules: [rule('snat', { filters })] })).toMatchObject({
      reason: 'arrives',
      inbound: 'snat',
      external: '198.51.100.2',
      receiver: 'w0',
    })
  })
})

test('every address of an external subnet reaches its instance without translation', () => {
  const externalSubnets = [{ subnet: '203.0.113.0/29', instance_id: 'db' }]
  const to = (text: string): End => ({ type: 'ip', text })
  const rules = [rule('in', { filters: { protocols: [{ type: 'tcp' }] } })]
  expect(ask(internet, to('203.0.113.3'), { externalSubnets, rules })).toMatchObject({
    reason: 'arrives',
    external: '203.0.113.3',
    receiver: 'd0',
    gateway: 'default',
  })
  expect(ask(internet, to('203.0.113.9'), { externalSubnets, rules })).toMatchObject({ reason: 'not_in_vpc' })
  expect(ask(internet, to('203.0.113.3'), { externalSubnets })).toMatchObject({ reason: 'nothing_allows' })
  expect(ask(web, to('203.0.113.3'), { externalSubnets, rules })).toMatchObject({
    reason: 'arrives',
    external: '198.51.100.1',
    receiver: 'd0',
  })
  expect(ask(internet, to('203.0.113.3'), { externalSubnets, rules, routes: [] })).toMatchObject({
    reason: 'no_way_back',
    receiver: 'd0',
  })
})

test('applicable rules are listed in order of evaluation, with the first matching target', () => {
  const rules = [
    rule('c', { priority: 2 }),
    rule('b', {
      targets: [
        { type: 'instance', value: 'gone' },
        { type: 'ip_net', value: '10.0.0.0/16' },
      ],
    }),
    rule('a', { action: 'deny', targets: [{ type: 'subnet', value: 'b' }] }),
    rule('d', { targets: [{ type: 'vpc', value: 'old-name' }] }),
    rule('e', { status: 'disabled' }),
  ]
  const network = prepareNetwork({ ...base, rules })
  const [one] = network.instances.get('db')?.interfaces ?? []
  if (!one) throw new Error('no interface')
  expect(
    network.rules.flatMap((prepared) => {
      const target = matchedTarget(prepared, one)
      return target ? [`${prepared.rule.name} by ${target.type} ${target.value}`] : []
    }),
  ).toEqual(['c by vpc net', 'a by subnet b', 'b by ip_net 10.0.0.0/16'])
})
