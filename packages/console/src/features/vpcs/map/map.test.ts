import { describe, expect, test } from 'vitest'
import { type Box, cut, layoutOf, maxChips } from './layout.ts'
import { mapOf, type Parts } from './model.ts'

const system = { id: 'r0', name: 'system', kind: 'system' } as const
const subnet = (n: number, customRouterId?: string): Parts['subnets'][number] => ({
  id: `s${n}`,
  name: `subnet-${n}`,
  ipv4Block: `10.0.${n}.0/24`,
  ipv6Block: `fd00:0:0:${n}::/64`,
  ...(customRouterId && { customRouterId }),
})
const exit = (vpcRouterId: string, value: string): Parts['routes'][number] => ({
  id: `${vpcRouterId}-${value}`,
  name: 'out',
  vpcRouterId,
  destination: { type: 'ip_net', value },
  target: { type: 'internet_gateway', value: 'default' },
})

const stack = (ip: string) => ({ type: 'v4' as const, value: { ip, transitIps: [] } })

/** This many instances, spread over the subnets in turn. */
function parts(instances: number, subnets: Parts['subnets'], more: Partial<Parts> = {}): Parts {
  const numbers = Array.from({ length: instances }, (_, index) => index)
  return {
    subnets,
    routers: [system],
    gateways: [{ id: 'g0', name: 'default' }],
    routes: [exit('r0', '0.0.0.0/0'), exit('r0', '::/0')],
    instances: numbers.map((n) => ({ id: `i${n}`, name: `web-${n}`, runState: 'running' })),
    interfaces: numbers.map((n) => ({
      subnetId: subnets[n % subnets.length]?.id ?? '',
      instanceId: `i${n}`,
      ipStack: stack(`10.0.${n % subnets.length}.${n + 5}`),
    })),
    ...more,
  }
}

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

const within = (inner: Box, outer: Box): boolean =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height

describe('the map', () => {
  test('finds the router that serves a subnet, and the gateways', () => {
    const custom = { id: 'r1', name: 'edge', kind: 'custom' } as const
    const map = mapOf(
      parts(2, [subnet(0), subnet(1, 'r1')], {
        routers: [system, custom],
        routes: [
          exit('r0', '0.0.0.0/0'),
          exit('r0', '::/0'),
          { ...exit('r1', '10.9.0.0/16'), target: { type: 'instance', value: 'web-1' } },
          { ...exit('r1', '10.8.0.0/16'), target: { type: 'drop' } },
        ],
      }),
    )
    expect(map.subnets.map(({ routerId }) => routerId)).toEqual(['r0', 'r1'])
    expect(map.routers.map(({ exits }) => exits)).toEqual([
      [{ gatewayId: 'g0', destinations: ['0.0.0.0/0', '::/0'] }],
      [],
    ])
    expect(map.routers.map(({ through, routes }) => [through, routes.length])).toEqual([
      [[], 2],
      [['s1'], 2],
    ])
    expect(layoutOf(map).lines.map(({ kind }) => kind)).toEqual(['serves', 'exit', 'serves', 'through'])
  })

  test('lists instances in each of their subnets, failed ones first, then by name and number', () => {
    const given = parts(0, [subnet(0), subnet(1)], {
      instances: [
        { id: 'a', name: 'web-10', runState: 'running' },
        { id: 'b', name: 'web-9', runState: 'stopped' },
        { id: 'c', name: 'zoo', runState: 'failed' },
      ],
      interfaces: [
        { subnetId: 's0', instanceId: 'a', ipStack: stack('10.0.0.5') },
        { subnetId: 's1', instanceId: 'a', ipStack: stack('10.0.1.5') },
        { subnetId: 's0', instanceId: 'b', ipStack: stack('10.0.0.6') },
        { subnetId: 's0', instanceId: 'c', ipStack: stack('10.0.0.7') },
        { subnetId: 's0', instanceId: 'made since', ipStack: stack('10.0.0.8') },
      ],
    })
    const [first, second] = mapOf(given).subnets
    expect(first?.instances.map(({ name }) => name)).toEqual(['zoo', 'web-9', 'web-10'])
    expect(second?.instances.map(({ name, ip }) => [name, ip])).toEqual([['web-10', '10.0.1.5']])
  })
})

describe('the layout', () => {
  test.each([
    [0, 1],
    [1, 1],
    [8, 1],
    [9, 1],
    [20, 3],
    [200, 2],
    [200, 20],
  ])('has room for %i instances in %i subnets without overlaps', (instances, count) => {
    const subnets = Array.from({ length: count }, (_, n) => subnet(n))
    const layout = layoutOf(mapOf(parts(instances, subnets)))
    const nodes: Box[] = [...layout.subnets, ...layout.routers, ...layout.gateways]
    for (const [index, one] of nodes.entries()) {
      expect(within(one, { x: 0, y: 0, width: layout.width, height: layout.height })).toBe(true)
      for (const other of nodes.slice(index + 1)) expect(overlap(one, other)).toBe(false)
    }
    let counted = 0
    for (const box of layout.subnets) {
      const places: Box[] = [...box.chips, ...(box.rest ? [box.rest] : [])]
      expect(places.length).toBeLessThanOrEqual(maxChips)
      for (const [index, one] of places.entries()) {
        expect(within(one, box)).toBe(true)
        for (const other of places.slice(index + 1)) expect(overlap(one, other)).toBe(false)
      }
      counted += box.chips.length + (box.rest?.count ?? 0)
    }
    expect(counted).toBe(instances)
  })

  test('counts the instances without room by their states', () => {
    const given = parts(200, [subnet(0)])
    const instances = given.instances.map((one, n) =>
      n < 3 ? one : { ...one, runState: 'stopped' as const },
    )
    const [box] = layoutOf(mapOf({ ...given, instances })).subnets
    expect(box?.rest).toMatchObject({ count: 193, states: '193 stopped' })
  })

  test('puts a router beside the subnets it serves, and one without subnets last', () => {
    const routers = [
      { id: 'idle', name: 'idle', kind: 'custom' } as const,
      system,
      { id: 'r1', name: 'edge', kind: 'custom' } as const,
    ]
    const subnets = [subnet(0, 'r1'), subnet(1), subnet(2)]
    const layout = layoutOf(mapOf(parts(24, subnets, { routers })))
    expect(layout.routers.map(({ router }) => router.id)).toEqual(['r1', 'r0', 'idle'])
    const [edge] = layout.routers
    const [served] = layout.subnets
    expect((edge?.y ?? 0) + (edge?.height ?? 0) / 2).toBe((served?.y ?? 0) + (served?.height ?? 0) / 2)
  })

  test.each([
    [['0.0.0.0/0', '::/0'], '0.0.0.0/0, ::/0'],
    [['0.0.0.0/0', '::/0', '192.168.100.0/24'], '0.0.0.0/0, ::/0 +1'],
    [['fd12:3456:789a:1:2:3::/96'], 'fd12:3456:789a:1:2:3:…'],
  ])('names the destinations %j as %s', (values, text) => {
    const routes = values.map((value) => exit('r0', value))
    const { lines } = layoutOf(mapOf(parts(0, [subnet(0)], { routes })))
    expect(lines.find(({ kind }) => kind === 'exit')?.label?.text).toBe(text)
  })

  test('truncates long text', () => expect([cut('abc', 3), cut('abcd', 3)]).toEqual(['abc', 'ab…']))

  test('is a small empty picture for an empty VPC', () => {
    const layout = layoutOf({ subnets: [], routers: [], gateways: [] })
    expect([layout.lines, layout.subnets]).toEqual([[], []])
    expect(layout.height).toBeGreaterThan(0)
  })
})
