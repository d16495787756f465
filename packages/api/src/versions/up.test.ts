import { describe, expect, test } from 'vitest'
import whole from '../../openapi.ext.json' with { type: 'json' }
import { baseBodies } from '../editions/base-bodies.ts'
import { peerTimers } from '../rack-network/switch-port.rules.ts'
import { type OpName, ops } from '../registry.ts'
import { changes } from './changes.gen.ts'
import { Inexpressible, isObject } from './dated.ts'
import { newestVersion } from './newest.rules.ts'
import { Translator } from './translate.ts'
import { baseVersion } from './version.rules.ts'

const translator = new Translator(whole.components.schemas)
/** The body of a request of the version, as the newest has it. */
const upOf = (component: string, version: number, body: object): unknown =>
  translator.up({ $ref: `#/components/schemas/${component}` }, version)?.(body) ?? body

const common = { name: 'x', description: '' }
const blank = { type: 'blank', block_size: 512 }
const auto = { type: 'auto', ip_version: null }

describe('a disk', () => {
  const older = { ...common, size: 1, disk_source: blank }
  const newer = { ...common, size: 1, disk_backend: { type: 'distributed', disk_source: blank } }

  test('got a backend', () => {
    expect(upOf('DiskCreate', baseVersion, older)).toEqual(newer)
    expect(upOf('DiskCreate', 2025112000, older)).toEqual(newer)
    expect(upOf('DiskCreate', 2025120300, newer)).toEqual(newer)
  })

  test('of an instance, too', () => {
    const disks = [
      { type: 'create', ...older },
      { type: 'attach', name: 'data' },
    ]
    expect(upOf('InstanceCreate', 2025112000, { disks, boot_disk: disks[0] })).toEqual({
      disks: [{ type: 'create', ...newer }, disks[1]],
      boot_disk: { type: 'create', ...newer },
      network_interfaces: { type: 'default_ipv4' },
    })
  })

  test('that cannot be read is left to the newest schema', () => {
    for (const wrong of [{}, { disk_source: null }, { disk_source: 7 }, { disks: 'none' }])
      expect(() => upOf('DiskCreate', baseVersion, wrong)).not.toThrow()
  })
})

describe('an interface', () => {
  const at = (given: object) =>
    (upOf('InstanceNetworkInterfaceCreate', 2026010100, given) as { ip_config: unknown }).ip_config

  test('had an address, and networks of its version', () => {
    const explicit = (value: string) => ({ type: 'explicit', value })
    expect(at({})).toEqual({ type: 'v4', value: { ip: { type: 'auto' } } })
    expect(at({ ip: null, transit_ips: [] })).toEqual({
      type: 'v4',
      value: { ip: { type: 'auto' }, transit_ips: [] },
    })
    expect(at({ ip: '172.30.0.9', transit_ips: ['10.0.0.0/8'] })).toEqual({
      type: 'v4',
      value: { ip: explicit('172.30.0.9'), transit_ips: ['10.0.0.0/8'] },
    })
    expect(at({ ip: 'fd00::9' })).toEqual({ type: 'v6', value: { ip: explicit('fd00::9') } })
  })

  test('cannot have networks of the other one', () => {
    expect(() => at({ ip: '172.30.0.9', transit_ips: ['fd00::/8'] })).toThrow(Inexpressible)
    expect(() => at({ transit_ips: ['10.0.0.0/8', 'fd00::/8'] })).toThrow(Inexpressible)
  })

  test.each([
    [{ type: 'default' }, { type: 'default_ipv4' }],
    [{ type: 'none' }, { type: 'none' }],
    [
      { type: 'create', params: [{ ...common }] },
      {
        type: 'create',
        params: [{ ...common, ip_config: { type: 'v4', value: { ip: { type: 'auto' } } } }],
      },
    ],
  ])('of a new instance: %j', (older, newer) => {
    expect(upOf('InstanceCreate', 2025112000, { network_interfaces: older })).toEqual({
      network_interfaces: newer,
    })
  })
})

describe('an address', () => {
  test.each([
    [{}, auto],
    [{ pool: 'outside' }, { type: 'explicit', pool: 'outside' }],
    [{ ip_version: 'v6' }, { type: 'auto', ip_version: 'v6' }],
  ])('of the pool that %j names', (older, pool_selector) => {
    expect(upOf('EphemeralIpCreate', 2026010300, older)).toEqual({ pool_selector })
    expect(upOf('InstanceCreate', 2026010300, { external_ips: [{ type: 'ephemeral', ...older }] })).toEqual({
      external_ips: [{ type: 'ephemeral', pool_selector }],
    })
    expect(upOf('FloatingIpCreate', 2026010300, { ...common, ...older })).toEqual({
      ...common,
      address_allocator: { type: 'auto', pool_selector },
    })
  })

  test('has one of pool and version', () =>
    expect(() => upOf('EphemeralIpCreate', 2026010300, { pool: 'a', ip_version: 'v4' })).toThrow(
      Inexpressible,
    ))

  test('that is named keeps its pool', () => {
    const explicit = { type: 'explicit', ip: '203.0.113.9', pool: 'outside' }
    const older = { ...common, ip: explicit.ip, pool: explicit.pool }
    expect(upOf('FloatingIpCreate', baseVersion, older)).toEqual({ ...common, address_allocator: explicit })
    const selected = { ...common, address_selector: explicit }
    expect(upOf('FloatingIpCreate', 2026010500, selected)).toEqual({ ...common, address_allocator: explicit })
  })
})

test('the slot of a switch', () => {
  const older = { switch: 'switch0', remote: '10.0.0.1' }
  expect(upOf('BfdSessionDisable', 2026030600, older)).toEqual({ switch_slot: 'switch0', remote: '10.0.0.1' })
})

describe('an external subnet', () => {
  const at = (allocator: object) =>
    (upOf('ExternalSubnetCreate', 2026011601, { ...common, allocator }) as { allocator: unknown }).allocator

  test('had a shorter word for the length of its prefix', () =>
    expect(at({ type: 'auto', prefix_len: 28 })).toEqual({ type: 'auto', prefix_length: 28 }))

  test('has no pool beside the block that is named', () => {
    const explicit = { type: 'explicit', subnet: '10.0.0.0/28' }
    expect(at({ ...explicit, pool: null })).toMatchObject(explicit)
    expect(() => at({ ...explicit, pool: 'outside' })).toThrow(Inexpressible)
  })

  test('comes from a pool of unicast addresses, whose members have no names', () => {
    const pool = { ...common, ip_version: 'v4' }
    expect(upOf('SubnetPoolCreate', 2026011601, { ...pool, pool_type: 'unicast' })).toEqual(pool)
    expect(() => upOf('SubnetPoolCreate', 2026011601, { ...pool, pool_type: 'multicast' })).toThrow(
      Inexpressible,
    )
    const member = { subnet: '10.0.0.0/24' }
    expect(upOf('SubnetPoolMemberAdd', 2026011601, { ...common, ...member })).toEqual(member)
  })
})

test('groups are joined by name', () =>
  expect(upOf('InstanceUpdate', 2025112000, { multicast_groups: ['tv'] })).toEqual({
    multicast_groups: [{ group: 'tv' }],
  }))

test('what the newest version sends is not touched', () => {
  for (const component of ['DiskCreate', 'InstanceCreate', 'FloatingIpCreate'])
    expect(
      translator.up({ $ref: `#/components/schemas/${component}` }, newestVersion),
      component,
    ).toBeUndefined()
})

/** Bodies of the base edition with everything that changed since. */
const samples: Readonly<Partial<Record<OpName, object>>> = {
  diskCreate: { ...common, size: 2 ** 30, disk_source: blank },
  instanceCreate: {
    ...common,
    ncpus: 1,
    memory: 2 ** 30,
    hostname: 'x',
    boot_disk: { type: 'create', ...common, size: 2 ** 30, disk_source: blank },
    external_ips: [{ type: 'ephemeral', pool: 'outside' }],
    network_interfaces: {
      type: 'create',
      params: [{ ...common, vpc_name: 'default', subnet_name: 'default', ip: '172.30.0.9' }],
    },
  },
  instanceUpdate: { ncpus: 1, memory: 2 ** 30, boot_disk: null, auto_restart_policy: null },
  instanceEphemeralIpAttach: { pool: 'outside' },
  instanceNetworkInterfaceCreate: { ...common, vpc_name: 'default', subnet_name: 'default' },
  floatingIpCreate: { ...common, ip: '203.0.113.9', pool: 'outside' },
  probeCreate: { ...common, sled: '3e2c6e84-bed8-4c94-afc3-1032082d6a90', ip_pool: 'outside' },
  networkingSwitchPortSettingsCreate: {
    ...common,
    port_config: { geometry: 'qsfp28x1' },
    links: [],
    addresses: [],
    bgp_peers: [
      {
        link_name: 'phy0',
        peers: [
          {
            bgp_config: 'peering',
            interface_name: 'phy0',
            addr: '203.0.113.1',
            ...peerTimers,
            communities: [],
            enforce_first_as: false,
            allowed_import: { type: 'no_filtering' },
            allowed_export: { type: 'no_filtering' },
          },
        ],
      },
    ],
  },
  networkingBfdEnable: {
    switch: 'switch0',
    remote: '10.0.0.1',
    detection_threshold: 3,
    required_rx: 1000,
    mode: 'single_hop',
  },
  networkingBfdDisable: { switch: 'switch0', remote: '10.0.0.1' },
  networkingLoopbackAddressCreate: {
    address_lot: 'lot',
    rack_id: '3e2c6e84-bed8-4c94-afc3-1032082d6a90',
    switch_location: 'switch0',
    address: '10.0.0.1',
    mask: 32,
    anycast: false,
  },
}

test.each(Object.keys(baseBodies) as OpName[])('%s of the base edition becomes one of the newest', (name) => {
  const body = whole.paths as unknown as Record<string, Record<string, Described>>
  const op = ops[name]
  const schema = body[op.path]?.[op.method.toLowerCase()]?.requestBody.content['application/json']?.schema
  const parsed = baseBodies[name]?.parse(samples[name])
  const up = translator.up(schema ?? {}, baseVersion)?.(parsed) ?? parsed
  expect(op.body?.safeParse(up)).toMatchObject({ success: true })
  // Nothing of the older shape is left over.
  expect(Object.keys(up as object).filter((key) => !(key in (op.body as unknown as Shaped).shape))).toEqual(
    [],
  )
})

interface Described {
  requestBody: { content: Record<string, { schema: Readonly<Record<string, unknown>> }> }
}
interface Shaped {
  shape: object
}

test('a request that is not as its version describes it is left to the newest schema', () => {
  for (const { version, types } of changes)
    for (const [name, { up }] of Object.entries(types))
      for (const odd of [{}, { type: null }, { type: 'unheard-of' }])
        expect(up ? isObject(up(odd)) : true, `${version} ${name}`).toBe(true)
})
