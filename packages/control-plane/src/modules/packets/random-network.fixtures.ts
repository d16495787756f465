import type { NetworkRows, RuleRow } from './model.ts'
import type { Packet } from './rules.ts'

/** A seeded generator: the same cases every time. */
export function dice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}
type Roll = ReturnType<typeof dice>

/** Draws names and addresses from a pool so small that they collide. */
export class Chance {
  constructor(readonly roll: Roll) {}

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.roll(items.length)]
    if (item === undefined) throw new Error('nothing to pick from')
    return item
  }
  some<Item>(max: number, make: () => Item): Item[] {
    return Array.from({ length: this.roll(max + 1) }, make)
  }

  address = (): string =>
    this.pick([
      () => `10.0.${this.roll(4)}.${5 + this.roll(5)}`,
      () => `198.51.100.${this.roll(8)}`,
      () => `8.8.8.${this.roll(3)}`,
      () => this.pick(['192.0.2.3', '192.0.2.9']),
      () => this.pick(['fd00::5', 'fd00:0:0:1::7', 'fd00:0:0:2::6', '2001:db8::1', '2001:db8:ff::9']),
    ])()
  net = (): string => {
    const address = this.address()
    const widths = address.includes(':') ? [0, 16, 48, 64, 128] : [0, 8, 16, 22, 24, 29, 32]
    return `${address}/${this.pick(widths)}`
  }
  host = (): RuleRow['targets'][number] =>
    this.pick([
      () => ({ type: 'vpc' as const, value: this.pick(['net', 'net', 'old-net']) }),
      () => ({ type: 'subnet' as const, value: this.pick(['s0', 's1', 's2', 's9']) }),
      () => ({ type: 'instance' as const, value: this.pick(['i0', 'i1', 'i2', 'i3', 'i9']) }),
      () => ({ type: 'ip' as const, value: this.address() }),
      () => ({ type: 'ip_net' as const, value: this.net() }),
    ])()
  range = (numbers: readonly number[]): string => {
    const [one, other] = [this.pick(numbers), this.pick(numbers)].sort((a, b) => a - b)
    return this.roll(2) ? String(one) : `${one}-${other}`
  }
  packet = (): Packet =>
    this.roll(3)
      ? { type: this.pick(['tcp', 'udp'] as const), port: this.pick([1, 22, 80, 443, 65_535]) }
      : {
          type: this.pick(['icmp', 'icmp', 'icmp6'] as const),
          icmp_type: this.pick([0, 3, 8]),
          icmp_code: this.pick([0, 1, 4, 255]),
        }

  rule = (name: string): RuleRow => {
    const maybe = <Value>(value: () => Value) => this.pick([() => null, () => null, value])()
    return {
      id: name,
      name,
      status: this.roll(8) ? 'enabled' : 'disabled',
      direction: this.roll(3) ? 'inbound' : 'outbound',
      action: this.roll(3) ? 'allow' : 'deny',
      priority: this.pick([0, 1, 100, 100, 65_535]),
      targets: [this.host(), ...this.some(2, this.host)],
      filters: {
        hosts: maybe(() => this.some(3, this.host)),
        ports: maybe(() => this.some(2, () => this.range([1, 22, 80, 443, 65_535]))),
        protocols: maybe(() =>
          this.some(2, () =>
            this.pick([
              { type: 'tcp' as const },
              { type: 'udp' as const },
              { type: this.pick(['icmp', 'icmp6'] as const), value: null },
              {
                type: this.pick(['icmp', 'icmp6'] as const),
                value: { icmp_type: this.pick([0, 3, 8]), code: maybe(() => this.range([0, 1, 4, 255])) },
              },
            ]),
          ),
        ),
      },
    }
  }

  network(ruleCount: number): NetworkRows {
    const subnets = [0, 1, 2].map((n) => ({
      id: `subnet-${n}`,
      name: `s${n}`,
      ipv4_block: `10.0.${n}.0/24`,
      ipv6_block: `fd00:0:0:${n}::/64`,
      custom_router_id: this.pick([null, null, 'custom-0', 'custom-1']),
    }))
    const instances = [0, 1, 2, 3, 4].map((n) => ({ id: `instance-${n}`, name: `i${n}`, hostname: `h${n}` }))
    const interfaces = instances.flatMap(({ id }, n) =>
      subnets
        .filter(() => this.roll(3) === 0 || n === 0)
        .map((subnet, slot) => ({ subnet, slot, stack: this.pick(['v4', 'dual', 'dual', 'v6']) }))
        .map(({ subnet, slot, stack }) => ({
          id: `nic-${n}-${slot}`,
          name: `net${slot}`,
          instance_id: id,
          subnet_id: subnet.id,
          mac_int: 0xa8_40_25_f0_00_00 + n * 8 + slot,
          ip: stack === 'v6' ? null : subnet.ipv4_block.replace('0/24', String(5 + n)),
          ipv6: stack === 'v4' ? null : subnet.ipv6_block.replace('/64', String(5 + n)),
          is_primary: slot === 0,
          transit_ips: this.roll(3) ? [] : [this.net()],
        })),
    )
    // External addresses are of versions that the primary interface has; shared ones only of IPv4.
    const primaryOf = (id: string) => interfaces.find((one) => one.instance_id === id && one.is_primary)
    const externalIps = instances.flatMap(({ id }, n) =>
      (
        [
          ['snat', 4],
          ['ephemeral', 4],
          ['floating', 4],
          ['ephemeral', 6],
          ['floating', 6],
        ] as const
      )
        .filter(([, version]) => {
          const primary = primaryOf(id)
          return this.roll(2) && primary && (version === 4 ? primary.ip : primary.ipv6) !== null
        })
        .map(([kind, version], at) => ({
          kind,
          ip: `${version === 4 ? '198.51.100.' : '2001:db8::'}${kind === 'snat' ? 0 : 1 + ((n * 2 + at) % 7)}`,
          ip_pool_id: this.pick(['pool-0', 'pool-1']),
          first_port: kind === 'snat' ? n * 8192 : 0,
          last_port: kind === 'snat' ? n * 8192 + 8191 : 65_535,
          instance_id: id,
        })),
    )
    // An address belongs to at most one instance.
    const taken = new Set<string>()
    const unique = externalIps.filter(({ ip, kind }) => kind === 'snat' || (!taken.has(ip) && taken.add(ip)))
    const routers = [
      { id: 'system', name: 'system', kind: 'system' as const },
      ...[0, 1].map((n) => ({ id: `custom-${n}`, name: `c${n}`, kind: 'custom' as const })),
    ]
    const gateways = ['default', 'other'].map((name) => ({ id: `gateway-${name}`, name }))
    return {
      vpc: { id: 'vpc', name: 'net', dns_name: 'net', vni: 1 },
      subnets,
      instances,
      interfaces,
      externalIps: unique,
      externalSubnets: ['192.0.2.0/29', '2001:db8:ff::/64'].flatMap((subnet) =>
        this.roll(2) ? [{ subnet, instance_id: this.pick(instances).id }] : [],
      ),
      rules: Array.from({ length: ruleCount }, (_, n) => this.rule(`rule-${String(n).padStart(4, '0')}`)),
      routers,
      routes: [
        ...subnets
          .filter(() => this.roll(8))
          .map(({ name }) => ({
            id: `system/${name}`,
            name,
            vpc_router_id: 'system',
            destination: { type: 'subnet' as const, value: name },
            target: { type: 'subnet' as const, value: name },
          })),
        ...['0.0.0.0/0', '::/0']
          .filter(() => this.roll(8))
          .map((value) => ({
            id: `system/${value}`,
            name: `default-${value}`,
            vpc_router_id: 'system',
            destination: { type: 'ip_net' as const, value },
            target: { type: 'internet_gateway' as const, value: this.pick(['default', 'default', 'gone']) },
          })),
        ...['custom-0', 'custom-1'].flatMap((vpc_router_id) =>
          this.some(4, () => this.route(vpc_router_id)).map((route, n) => ({
            ...route,
            id: `${vpc_router_id}/${n}`,
            name: `r${n}`,
          })),
        ),
      ],
      gateways,
      gatewayPools: gateways.flatMap(({ id }) =>
        ['pool-0', 'pool-1']
          .filter(() => this.roll(3) > 0)
          .map((ip_pool_id) => ({ internet_gateway_id: id, ip_pool_id })),
      ),
      gatewayAddresses: gateways
        .filter(() => this.roll(2))
        .map(({ id }) => ({ internet_gateway_id: id, address: `198.51.100.${this.roll(8)}` })),
    }
  }

  private route(vpc_router_id: string): Omit<NetworkRows['routes'][number], 'id' | 'name'> {
    return {
      vpc_router_id,
      destination: this.pick([
        () => ({ type: 'ip' as const, value: this.address() }),
        () => ({ type: 'ip_net' as const, value: this.net() }),
        () => ({ type: 'subnet' as const, value: this.pick(['s0', 's1', 's2', 's9']) }),
      ])(),
      target: this.pick([
        () => ({ type: 'ip' as const, value: this.address() }),
        () => ({ type: 'instance' as const, value: this.pick(['i0', 'i1', 'i9']) }),
        () => ({ type: 'internet_gateway' as const, value: this.pick(['default', 'other', 'gone']) }),
        () => ({ type: 'drop' as const }),
      ])(),
    }
  }
}
