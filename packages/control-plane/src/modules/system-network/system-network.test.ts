import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { withNote } from '../../testing/counted-statements.ts'
import { migratedDatabase } from '../../testing/migrated-database.ts'
import {
  bareSettings,
  furnishNetwork,
  networking,
  portPath,
  uplinkLink,
  uplinkSettings,
} from '../../testing/rack-network.ts'

let bed: TestBed
let operator: Caller
let rack: string
let block: string
/** Called before each statement; what it throws is the statement's failure. */
let beforeStatement: ((text: string) => void) | undefined
beforeAll(async () => {
  const dialect = withNote(await migratedDatabase(), (text) => beforeStatement?.(text))
  bed = await testControlPlane({ dialect })
  operator = await bed.signIn('admin')
  ;({ rack, block } = await furnishNetwork(operator))
})
afterAll(() => bed.stop())

const said = ({ status, body }: Awaited<ReturnType<Caller['get']>>): string =>
  `${status} ${body?.message ?? ''}`
const post = (path: string, body?: unknown) => operator.post(`${networking}${path}`, body)
const get = async (path: string) => (await operator.get(`${networking}${path}`)).body
const remove = (path: string) => operator.call('DELETE', `${networking}${path}`)
const put = (path: string, body: unknown) => operator.call('PUT', `${networking}${path}`, body)
const named = (name: string) => ({ name, description: '' })
const urn = (id: string): string => `urn:uuid:${id}`

describe('address lots', () => {
  const lot = (name: string, ...blocks: [string, string][]) => ({
    ...named(name),
    kind: 'pool',
    blocks: blocks.map(([first_address, last_address]) => ({ first_address, last_address })),
  })

  test('gain blocks when created again, and keep everything else', async () => {
    const first = await post('/address-lot', lot('more', ['198.18.0.1', '198.18.0.9']))
    expect(first.status).toBe(201)
    const asked = {
      ...lot('more', ['198.18.1.1', '198.18.1.9'], ['198.18.0.1', '198.18.0.9']),
      kind: 'infra',
    }
    const again = await post('/address-lot', asked)
    expect(again.body.lot).toEqual(first.body.lot)
    expect(again.body.blocks.map((one: { first_address: string }) => one.first_address)).toEqual([
      '198.18.1.1',
      '198.18.0.1',
    ])
    expect(again.body.blocks[1]).toEqual(first.body.blocks[0])
    expect((await get('/address-lot/more')).blocks).toHaveLength(2)
    expect((await get('/address-lot/more/blocks?limit=1')).items).toHaveLength(1)
    expect((await remove('/address-lot/more')).status).toBe(204)
    expect(said(await operator.get(`${networking}/address-lot/more`))).toBe(
      '404 not found: address-lot with name "more"',
    )
  })

  test.each([
    ['198.18.0.9', '198.18.0.1', 'Invalid range, first must be <= last'],
    ['198.18.0.9', 'fd00::1', 'Block bounds must be in same address family'],
  ])('refuse a block from %s to %s', async (first, last, message) => {
    expect(said(await post('/address-lot', lot('bad', [first, last])))).toBe(`400 ${message}`)
  })

  test('stay while something uses them', async () => {
    const answer = await remove('/address-lot/uplinks')
    expect(said(answer)).toBe('400 lot is in use')
    expect(answer.body.help).toBe('Delete the switch port settings uplink first.')
    const made = await post('/address-lot', lot('announcing', ['198.18.2.0', '198.18.2.255']))
    const announcement = [{ address_lot_block: made.body.blocks[0].id, network: '198.18.2.0/24' }]
    await put('/bgp-announce-set', { ...named('benchmarks'), announcement })
    expect((await remove('/address-lot/announcing')).body.help).toContain('announce set benchmarks')
    await remove('/bgp-announce-set/benchmarks')
    expect((await remove('/address-lot/announcing')).status).toBe(204)
  })
})

describe('loopback addresses', () => {
  const wanted = (more: object = {}) => ({
    address_lot: 'uplinks',
    rack_id: rack,
    switch_location: 'switch0',
    address: '203.0.113.77',
    mask: 32,
    anycast: false,
    ...more,
  })

  test('reserve their address until they are deleted', async () => {
    const made = await post('/loopback-address', wanted())
    expect(made.body).toMatchObject({ address: '203.0.113.77/32', address_lot_block_id: block })
    const other = wanted({ switch_location: 'switch1' })
    expect(said(await post('/loopback-address', other))).toBe('400 address unavailable')
    const at = `/loopback-address/${rack}/switch0/203.0.113.77/32`
    expect((await remove(at)).status).toBe(204)
    expect(said(await remove(at))).toContain('404 not found: loopback-address')
    expect((await post('/loopback-address', other)).status).toBe(201)
    expect((await get('/loopback-address')).items).toHaveLength(1)
  })

  test('are shared by switches if they are anycast', async () => {
    const anycast = { address: '203.0.113.78', anycast: true }
    expect((await post('/loopback-address', wanted(anycast))).status).toBe(201)
    expect((await post('/loopback-address', wanted({ ...anycast, switch_location: 'switch1' }))).status).toBe(
      201,
    )
    expect(said(await post('/loopback-address', wanted(anycast)))).toBe('400 address unavailable')
  })

  test.each([
    [{ switch_location: 'switch7' }, '400 Switch location must be switch0 or switch1'],
    [{ rack_id: '7c9e6679-7425-40de-944b-e07fc1f90ae7' }, '404 not found: rack'],
    [{ address_lot: 'nowhere' }, '404 not found: address-lot with name "nowhere"'],
    [{ mask: 33 }, '400 invalid address'],
    [{ address: '192.0.2.7' }, '400 address not in lot'],
  ])('refuse %j', async (more, message) => {
    expect(said(await post('/loopback-address', wanted(more)))).toContain(message)
  })
})

/** Optional fields that no test sets. */
const unset = {
  lldp: { link_name: null, link_description: null, chassis_id: null, management_ip: null },
  peer: { min_ttl: null, multi_exit_discriminator: null, local_pref: null, vlan_id: null },
}

describe('switch port settings', () => {
  test('return every part that they were created with', async () => {
    const asked = {
      ...uplinkSettings('whole', {
        address: '203.0.113.6/30',
        peer: { addr: '203.0.113.5', remote_asn: 64_496 },
      }),
      links: [{ ...uplinkLink, tx_eq: { pre1: 3 } }],
      interfaces: [{ link_name: 'phy0', v6_enabled: true, kind: { type: 'vlan', vid: 7 } }],
      routes: [{ link_name: 'phy0', routes: [{ dst: '0.0.0.0/0', gw: '203.0.113.5', rib_priority: 9 }] }],
    }
    const made = await post('/switch-port-settings', asked)
    expect(made.status).toBe(201)
    const { id } = made.body
    expect(made.body).toMatchObject({
      name: 'whole',
      groups: [],
      port: { port_settings_id: id, geometry: 'qsfp28x1' },
      links: [
        {
          link_name: 'phy0',
          speed: 'speed100_g',
          lldp_link_config: { enabled: true, ...unset.lldp },
          tx_eq_config: { pre1: 3, main: null },
        },
      ],
      interfaces: [{ interface_name: 'phy0', v6_enabled: true, kind: 'vlan' }],
      vlan_interfaces: [{ interface_config_id: made.body.interfaces[0].id, vlan_id: 7 }],
      routes: [
        { interface_name: 'phy0', dst: '0.0.0.0/0', gw: '203.0.113.5', rib_priority: 9, vlan_id: null },
      ],
      addresses: [{ address: '203.0.113.6/30', address_lot_name: 'uplinks', address_lot_block_id: block }],
      bgp_peers: [{ addr: '203.0.113.5', interface_name: 'phy0', has_md5_auth_key: false, ...unset.peer }],
    })
    expect(await get('/switch-port-settings/whole')).toEqual(made.body)
    const { body } = await operator.call(
      'GET',
      '/v1/system/networking/switch-port-settings/whole',
      undefined,
      { 'api-version': '2026050700.0.0' },
    )
    expect(body.interfaces).toMatchObject([{ interface_name: 'phy0', kind: { type: 'vlan', vid: 7 } }])
    expect(body).not.toHaveProperty('vlan_interfaces')

    // Replaced by name: the id stays, and the old address is free again.
    const replaced = await post('/switch-port-settings', bareSettings('whole'))
    expect(replaced.body).toMatchObject({ id, links: [], addresses: [] })
    expect((await post('/switch-port-settings', { ...asked, name: 'other' })).status).toBe(201)
    expect(said(await post('/switch-port-settings', asked))).toBe('400 address unavailable')
    for (const name of ['whole', 'other'])
      expect((await remove(`/switch-port-settings?port_settings=${name}`)).status).toBe(204)
  })

  test('keep the MD5 keys of peers to themselves', async () => {
    const address = '203.0.113.10/30'
    const keyed = (peer: object) =>
      uplinkSettings('keyed', { address, peer: { addr: '203.0.113.9', ...peer } })
    const first = await post('/switch-port-settings', keyed({ md5_auth_key: 'swordfish' }))
    expect(first.body.bgp_peers[0]).toMatchObject({ has_md5_auth_key: true })
    // Sent back, a null would remove the key.
    expect(first.body.bgp_peers[0]).not.toHaveProperty('md5_auth_key')
    const kept = await post('/switch-port-settings', keyed({}))
    expect(kept.body.bgp_peers[0].has_md5_auth_key).toBe(true)
    const changes = await bed.db.selectFrom('change').selectAll().execute()
    expect(JSON.stringify([first.body, kept.body, changes])).not.toContain('swordfish')
    const removed = await post('/switch-port-settings', keyed({ md5_auth_key: null }))
    expect(removed.body.bgp_peers[0]).toMatchObject({ has_md5_auth_key: false, md5_auth_key: null })
    expect(await bed.db.selectFrom('bgp_peer_key').selectAll().execute()).toEqual([])
    for (const key of ['x'.repeat(81), 'é'])
      expect(said(await post('/switch-port-settings', keyed({ md5_auth_key: key })))).toContain(
        '400 unsupported value for "md5_auth_key"',
      )
    await remove('/switch-port-settings?port_settings=keyed')
  })

  test.each([
    [{ address: '192.0.2.2/30' }, 'address not in lot'],
    [{ address: '203.0.113.2/30' }, 'address unavailable'],
    [{ address: '203.0.113.14/30', peer: { bgp_config: 'nowhere' } }, 'BGP config not found'],
  ])('refuse %j', async (more, message) => {
    expect(said(await post('/switch-port-settings', uplinkSettings('refused', more)))).toBe(`400 ${message}`)
  })

  test('and announce sets accept any form of the ids that they refer to', async () => {
    const [lot] = (await get('/address-lot')).items
    const [config] = (await get('/bgp')).items
    const asked = {
      ...uplinkSettings('by-id', { peer: { addr: '203.0.113.13', bgp_config: urn(config.id) } }),
      addresses: [
        { link_name: 'phy0', addresses: [{ address_lot: urn(lot.id), address: '203.0.113.14/30' }] },
      ],
    }
    const made = await post('/switch-port-settings', asked)
    expect(made.body).toMatchObject({
      addresses: [{ address_lot_id: lot.id }],
      bgp_peers: [{ bgp_config: config.id }],
    })
    const removed = await remove(`/switch-port-settings?port_settings=${urn(made.body.id)}`)
    expect(removed.status).toBe(204)
    const announcement = [{ address_lot_block: urn(block), network: '203.0.113.0/24' }]
    expect((await put('/bgp-announce-set', { ...named('by-id'), announcement })).status).toBe(200)
    await remove('/bgp-announce-set/by-id')
  })

  test('refuse unknown lots and groups, and stay while a port uses them', async () => {
    const addresses = [
      { link_name: 'phy0', addresses: [{ address_lot: 'nowhere', address: '192.0.2.1/30' }] },
    ]
    expect(said(await post('/switch-port-settings', { ...bareSettings('no'), addresses }))).toBe(
      '400 AddressLot not found',
    )
    expect(said(await post('/switch-port-settings', { ...bareSettings('no'), groups: ['one'] }))).toBe(
      '400 port settings group not found',
    )
    expect(said(await remove('/switch-port-settings'))).toBe('400 name or id required')
    expect(said(await remove('/switch-port-settings?port_settings=no'))).toBe('400 port settings not found')
    const used = await remove('/switch-port-settings?port_settings=uplink')
    expect(said(used)).toBe('409 port settings are in use')
    expect(used.body.help).toBe('Clear the settings of switch0 qsfp0 first.')
  })
})

const settled = 60_000
const statusOf = async (port: string, location = 'switch0') =>
  (await operator.get(portPath(rack, port, 'status', location))).body
const apply = (port: string, port_settings: string) =>
  operator.post(portPath(rack, port, 'settings'), { port_settings })

describe('switch ports', () => {
  test('are listed with their settings', async () => {
    const { items } = (await operator.get('/v1/system/hardware/switch-port?limit=1000')).body
    expect(items).toHaveLength(64)
    expect(items.filter((port: { port_settings_id: string | null }) => port.port_settings_id)).toHaveLength(1)
  })

  test('bring their links up after a moment, and down when the settings are cleared', async () => {
    const link = (more: object = {}) => ({ ...bareSettings('bare'), links: [{ ...uplinkLink, ...more }] })
    await post('/switch-port-settings', link())
    expect((await apply('qsfp1', 'bare')).status).toBe(204)
    expect((await statusOf('qsfp1')).link).toMatchObject([
      { state: 'down', reason: 'The link is coming up.' },
    ])
    bed.pass(settled)
    expect((await statusOf('qsfp1')).link).toMatchObject([{ state: 'up', reason: null, speed_gbps: 100 }])
    const neighbors = `/v1/system/hardware/rack-switch-port/${rack}/switch0/qsfp1/lldp/neighbors`
    const { items, next_page } = (await operator.get(neighbors)).body
    expect(items).toMatchObject([{ system_name: 'edge-2', local_port: 'qsfp1' }])
    const end = (await operator.get(`${neighbors}?page_token=${next_page}`)).body
    expect(end).toEqual({ items: [], next_page: null })
    await post('/switch-port-settings', link({ speed: 'speed25_g' }))
    bed.pass(settled)
    expect((await statusOf('qsfp1')).link).toMatchObject([
      { state: 'down', reason: 'edge-2 runs at 100 Gbit/s, and the link at 25 Gbit/s.' },
    ])
    await post('/switch-port-settings', link({ fec: 'firecode' }))
    expect((await statusOf('qsfp1')).link[0].reason).toBe(
      'edge-2 corrects errors by rs, and the link by firecode.',
    )
    await post('/switch-port-settings', { ...link(), port_config: { geometry: 'sfp28x4' } })
    expect((await statusOf('qsfp1')).link[0].reason).toContain('split into 4 links')
    await post('/switch-port-settings', link({ link_name: 'phy3' }))
    expect((await statusOf('qsfp1')).link[0].reason).toContain('has no link phy3, only phy0')
    await apply('qsfp5', 'bare')
    await post('/switch-port-settings', link())
    expect((await statusOf('qsfp5')).link[0].reason).toBe('No cable is connected.')
    for (const port of ['qsfp1', 'qsfp5'])
      expect((await operator.call('DELETE', portPath(rack, port, 'settings'))).status).toBe(204)
    expect(await statusOf('qsfp1')).toMatchObject({ link: [], monitors: expect.any(Object) })
    expect((await operator.get(neighbors)).body.items).toEqual([])
  })

  test('have the LLDP configuration of their settings', async () => {
    const path = portPath(rack, 'qsfp0', 'lldp/config')
    const { body } = await operator.get(path)
    expect(body).toMatchObject({ enabled: true, system_name: null, ...unset.lldp })
    expect((await operator.post(path, { ...body, enabled: false, system_name: 'rack-1' })).status).toBe(204)
    expect((await operator.get(path)).body).toMatchObject({
      id: body.id,
      enabled: false,
      system_name: 'rack-1',
    })
    expect(
      (await operator.get('/ext/v1/system/networking/fabric')).body.racks[0].switches[0].ports[0].neighbor,
    ).toBe(null)
    expect(said(await operator.post(path, { ...body, id: rack }))).toBe(
      `400 id (${rack}) doesn't match provided config (${body.id})`,
    )
    await operator.post(path, body)
    expect(said(await operator.get(portPath(rack, 'qsfp9', 'lldp/config')))).toContain(
      '400 unsupported value for "settings"',
    )
  })

  test.each([
    ['qsfp99', 'settings', 'switch0', '404 not found: switch-port with name "qsfp99"'],
    ['qsfp0', 'settings', 'switch7', '404 not found: switch-port with name "qsfp0"'],
    ['qsfp99', 'status', 'switch0', '400 invalid port name'],
    ['qsfp0', 'status', 'switch7', '400 invalid switch name'],
  ])('%s refuses %s of %s', async (port, what, location, message) => {
    const path = portPath(rack, port, what, location)
    const body = { port_settings: 'uplink' }
    expect(said(what === 'status' ? await operator.get(path) : await operator.post(path, body))).toBe(message)
  })

  test('refuse unknown settings', async () => {
    expect(said(await apply('qsfp1', 'nowhere'))).toBe(
      '404 not found: switch-port-settings with name "nowhere"',
    )
  })
})

describe('BGP', () => {
  const config = (name: string, asn: number) => ({ ...named(name), asn, bgp_announce_set_id: 'announced' })
  const peer = async () => (await get('/bgp-status'))[0]
  const inFabric = async () => {
    const { racks } = (await operator.get('/ext/v1/system/networking/fabric')).body
    return racks[0].switches[0].ports[0].peers[0]
  }
  const replace = async (more: object) => {
    await post('/switch-port-settings', uplinkSettings('uplink', { peer: more }))
    bed.pass(settled)
  }

  test('configurations are unique by name and ASN', async () => {
    const made = await post('/bgp', config('second', 64_502))
    expect(made.status).toBe(201)
    expect((await post('/bgp', config('second', 64_502))).body).toEqual(made.body)
    expect(said(await post('/bgp', config('third', 64_502)))).toBe(
      '409 cannot have more than one configuration per ASN',
    )
    expect(said(await post('/bgp', config('second', 64_503)))).toContain('409 a unique field conflicts')
    expect(said(await post('/bgp', { ...config('fourth', 64_504), bgp_announce_set_id: 'nowhere' }))).toBe(
      '404 not found: bgp-announce-set with name "nowhere"',
    )
    expect((await remove('/bgp?name_or_id=second')).status).toBe(204)
    expect(said(await remove('/bgp?name_or_id=second'))).toBe('404 not found: bgp-config with name "second"')
    expect(said(await remove('/bgp?name_or_id=peering'))).toBe(
      '409 BGP Config is in use and cannot be deleted',
    )
    expect(said(await remove('/bgp-announce-set/announced'))).toBe('409 announce set in use')
  })

  test('an update changes what it names, and neither the ASN nor the VRF', async () => {
    await operator.call('PUT', `${networking}/bgp-announce-set`, { ...named('others'), announcement: [] })
    const made = (await post('/bgp', config('changing', 64_510))).body
    const put = (body: object, at = 'changing') =>
      operator.call('PUT', `${networking}/bgp?name_or_id=${at}`, body, { 'api-version': '2026061000.0.0' })
    expect((await put({})).body).toMatchObject({ ...made, max_paths: 1, time_modified: expect.any(String) })
    const answer = await put({
      name: 'changed',
      max_paths: 4,
      bgp_announce_set_id: 'others',
      asn: 1,
      vrf: 'x',
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id: made.id, name: 'changed', asn: 64_510, vrf: null, max_paths: 4 })
    expect(answer.body.description).toBe(made.description)
    expect(answer.body.bgp_announce_set_id).not.toBe(made.bgp_announce_set_id)
    // A client of before the field neither sees it nor resets it.
    const { items } = (await operator.get(`${networking}/bgp`)).body
    expect(items.find(({ id }: { id: string }) => id === made.id).max_paths).toBeUndefined()
    expect((await put({ description: 'later' }, made.id)).body).toMatchObject({ max_paths: 4 })

    for (const max_paths of [0, 33, 1.5]) expect((await put({ max_paths }, made.id)).status).toBe(400)
    expect(said(await put({ name: 'peering' }, made.id))).toContain('409 a unique field conflicts')
    expect(said(await put({ bgp_announce_set_id: 'nowhere' }, made.id))).toBe(
      '404 not found: bgp-announce-set with name "nowhere"',
    )
    expect(said(await put({}, 'nobody'))).toBe('404 not found: bgp-config with name "nobody"')
    expect((await remove(`/bgp?name_or_id=${made.id}`)).status).toBe(204)
    expect((await remove('/bgp-announce-set/others')).status).toBe(204)
  })

  test('a peer comes up after a while, and exchanges routes', async () => {
    await post('/switch-port-settings', uplinkSettings('uplink'))
    expect(await peer()).toMatchObject({ addr: '203.0.113.1', local_asn: 64_500, state: 'idle' })
    bed.pass(settled)
    expect(await peer()).toMatchObject({ remote_asn: 64_496, state: 'established', switch: 'switch0' })
    expect((await peer()).state_duration_millis).toBeGreaterThan(0)
    expect(await get('/bgp-exported')).toEqual({ exports: { '203.0.113.1': ['203.0.113.128/25'] } })
    const newest = { 'api-version': '2026021301.0.0' }
    const now = async (path: string) =>
      (await operator.call('GET', `/v1/system/networking${path}`, undefined, newest)).body
    expect(await now('/bgp-exported')).toEqual([
      { peer_id: '203.0.113.1', switch: 'switch0', prefix: '203.0.113.128/25' },
    ])
    expect(await now('/bgp-imported?asn=64500')).toEqual(await get('/bgp-routes-ipv4?asn=64500'))
    expect(await now('/bgp-status')).toContainEqual(
      expect.objectContaining({ addr: '203.0.113.1', peer_id: '203.0.113.1' }),
    )
    expect(await get('/bgp-routes-ipv4?asn=64500')).toContainEqual({
      prefix: '0.0.0.0/0',
      nexthop: '203.0.113.1',
      id: 0,
      switch: 'switch0',
    })
    expect(await get('/bgp-routes-ipv4?asn=1')).toEqual([])
    const { switch_histories } = await get('/bgp-message-history?asn=64500')
    const messages = switch_histories[0].history['203.0.113.1']
    expect(messages.map((one: { message: { type: string } }) => one.message.type)).toContain('update')
    expect(messages.length).toBeLessThanOrEqual(20)
  })

  test('filters decide what passes', async () => {
    const only = (net: string) => ({ type: 'allow', value: [net] })
    await replace({ allowed_import: only('198.18.0.0/15'), allowed_export: only('10.0.0.0/8') })
    expect(
      (await get('/bgp-routes-ipv4?asn=64500')).map((route: { prefix: string }) => route.prefix),
    ).toEqual(['198.18.0.0/15'])
    expect(await get('/bgp-exported')).toEqual({ exports: { '203.0.113.1': [] } })
  })

  test.each([
    [{ remote_asn: 65_000 }, 'idle', 'edge-1 has the ASN 64496, and the peer expects 65000.'],
    [{ hold_time: 2 }, 'idle', 'edge-1 refuses a hold time of 2 s; it must be 0 or at least 3.'],
    [{ addr: '192.0.2.9' }, 'active', 'No address of the link phy0 is in a network with 192.0.2.9.'],
    [
      { addr: '203.0.113.3' },
      'active',
      /^Nothing answers at 203.0.113.3; .* edge-1 has the address 203.0.113.1/,
    ],
    [{ md5_auth_key: 'key' }, 'active', 'edge-1 sends no MD5 signatures, and the peer has a key.'],
  ])('a wrong peer %j stays %s and says why', async (more, state, reason) => {
    await replace(more)
    expect(await peer()).toMatchObject({ state })
    expect((await inFabric()).reason).toMatch(reason)
    await replace({ md5_auth_key: null })
    expect(await peer()).toMatchObject({ state: 'established' })
  })

  test('the messages of a refused session name the error', async () => {
    await replace({ remote_asn: 65_000 })
    expect(JSON.stringify(await get('/bgp-message-history?asn=64500'))).toContain('bad_peer_as')
    await replace({})
  })

  test('announcements are replaced, and refer to blocks that exist', async () => {
    const announcement = [{ address_lot_block: block, network: '203.0.113.0/24' }]
    const set = await put('/bgp-announce-set', { ...named('announced'), announcement })
    expect(set.status).toBe(200)
    expect(await get('/bgp-announce-set/announced/announcement')).toEqual([
      { announce_set_id: set.body.id, address_lot_block_id: block, network: '203.0.113.0/24' },
    ])
    expect((await get('/bgp-exported')).exports['203.0.113.1']).toEqual(['203.0.113.0/24'])
    expect(await get('/bgp-announce-set')).toMatchObject([{ name: 'announced' }])
    for (const unknown of ['nowhere', rack])
      expect(
        said(
          await put('/bgp-announce-set', {
            ...named('announced'),
            announcement: [{ address_lot_block: unknown, network: '203.0.113.0/24' }],
          }),
        ),
      ).toContain('404 not found: address-lot-block')
  })

  test('of two replacements that saw the same announcements, one is stale', async () => {
    const path = `${networking}/bgp-announce-set`
    const replace = (network: string, etag?: string) => {
      const body = { ...named('shared'), announcement: [{ address_lot_block: block, network }] }
      return operator.call('PUT', path, body, etag ? { 'if-match': etag } : {})
    }
    expect((await replace('203.0.113.0/24')).status).toBe(200)
    const seen = (await operator.get(`${path}/shared/announcement`)).headers.get('etag') ?? ''
    const answers = await Promise.all(['203.0.113.0/25', '203.0.113.128/25'].map((net) => replace(net, seen)))
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(1)
    expect(await get('/bgp-announce-set/shared/announcement')).toHaveLength(1)
    const current = (await replace('203.0.113.0/26')).headers.get('etag') ?? ''
    expect((await operator.get(`${path}/shared/announcement`)).headers.get('etag')).toBe(current)
    await remove('/bgp-announce-set/shared')
    expect((await replace('203.0.113.0/27', current)).status).toBe(412)
    expect((await get('/bgp-announce-set')).map(({ name }: { name: string }) => name)).not.toContain('shared')
  })

  test('announcements refer to no block that is deleted meanwhile', async () => {
    const blocks = [{ first_address: '198.18.3.0', last_address: '198.18.3.255' }]
    const made = await post('/address-lot', { ...named('leaving'), kind: 'pool', blocks })
    const leaving: string = made.body.blocks[0].id
    let deleted: Promise<unknown> | undefined
    let lookUps = 0
    beforeStatement = (text) => {
      if (!text.startsWith('select "address_lot_id" from "address_lot_block" where "id"')) return
      // The first block was found already; the change begins after this look-up, and must miss it.
      if (++lookUps === 2)
        deleted = bed.db.deleteFrom('address_lot_block').where('id', '=', leaving).execute()
    }
    const announcement = [leaving, block].map((id) => ({ address_lot_block: id, network: '198.18.3.0/24' }))
    const answer = await put('/bgp-announce-set', { ...named('late'), announcement })
    beforeStatement = undefined
    expect(deleted).toBeDefined()
    await deleted
    expect(said(answer)).toBe(`404 not found: address-lot-block with id "${leaving}"`)
    await remove('/address-lot/leaving')
  })
})

describe('BFD', () => {
  const session = (remote: string, more: object = {}) => ({
    switch: 'switch0',
    remote,
    detection_threshold: 3,
    required_rx: 2 ** 40,
    mode: 'single_hop',
    ...more,
  })
  test('sessions come up with the router, and only with it', async () => {
    for (const remote of ['203.0.113.1', '203.0.113.3'])
      expect((await post('/bfd-enable', session(remote))).status).toBe(204)
    bed.pass(settled)
    expect(await get('/bfd-status')).toMatchObject([
      { peer: '203.0.113.1', state: 'up', required_rx: 4_294_967_295, local: null },
      { peer: '203.0.113.3', state: 'down' },
    ])
    const again = await post('/bfd-enable', session('203.0.113.1'))
    expect(said(again)).toContain('400 already exists')
    expect(again.body.help).toBe('switch0 already has a session with 203.0.113.1. Disable it first.')
    expect(said(await post('/bfd-enable', session('203.0.113.1', { switch: 'switch9' })))).toContain(
      '400 Switch',
    )
    for (const remote of ['203.0.113.1', '203.0.113.3', '203.0.113.3'])
      expect((await post('/bfd-disable', { switch: 'switch0', remote })).status).toBe(204)
    expect(await get('/bfd-status')).toEqual([])
  })
})

/** A request from an address, with the operator's session. */
async function from(address: string, method: string, path: string, body?: unknown, more = {}) {
  const headers = new Headers({ cookie: operator.cookie, ...more })
  if (body) headers.set('content-type', 'application/json')
  const request = new Request(`http://localhost${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const response = await bed.plane.fetch(request, { address })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : undefined, headers: response.headers }
}
const ofList = (...ips: string[]) => ({ allowed_ips: { allow: 'list', ips } })

describe('the allow list', () => {
  const path = `${networking}/allow-list`
  test('lets only its addresses in, and always the host of the server', async () => {
    expect(await get('/allow-list')).toMatchObject({ allowed_ips: { allow: 'any' } })
    const set = await from('192.0.2.7', 'PUT', path, ofList('192.0.2.0/24'))
    expect(set.status).toBe(200)
    expect((await from('192.0.2.9', 'GET', '/v1/me')).status).toBe(200)
    const refused = await from('198.51.100.9', 'GET', '/v1/me')
    expect(said(refused)).toBe('403 Forbidden')
    expect(refused.body.help).toContain('198.51.100.9')
    expect((await from('127.0.0.1', 'GET', '/v1/me')).status).toBe(200)
    expect((await put('/allow-list', { allowed_ips: { allow: 'any' } })).status).toBe(200)
    expect((await from('198.51.100.9', 'GET', '/v1/me')).status).toBe(200)
  })

  test.each([
    [[], '400 unable to parse JSON body: allowed_ips.ips: IP allowlist must not be empty'],
    [['0.0.0.0/0'], '400 Source IP allowlist may not contain 0.0.0.0/0'],
    [['::/128'], '400 Source IP allowlist may not contain the unspecified address ::/128'],
    [['198.51.100.0/24'], '400 The source IP allowlist would prevent access from the current client!'],
    [
      Array.from({ length: 1001 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`),
      '400 Source IP allowlist is limited to 1000 entries, found 1001',
    ],
  ])('refuses a wrong list (%#)', async (ips, message) => {
    const answer = await from('192.0.2.7', 'PUT', path, ofList(...ips))
    expect(said(answer).replace(/^(400) .*(IP allowlist must)/, '$1 $2')).toContain(
      message.replace(/^(400) .*(IP allowlist must)/, '$1 $2'),
    )
  })

  test('ends streams from addresses that it leaves out', async () => {
    const [inside, outside] = await Promise.all(
      ['192.0.2.9', '198.51.100.9'].map((address) => bed.follow(operator, { address })),
    )
    await put('/allow-list', ofList('192.0.2.0/24'))
    await eventually(
      async () => outside?.ended(),
      (hasEnded) => hasEnded === true,
    )
    expect(inside?.ended()).toBe(false)
    inside?.close()
    await put('/allow-list', { allowed_ips: { allow: 'any' } })
  })

  test('inbound ICMP is a switch', async () => {
    expect(await get('/inbound-icmp')).toEqual({ enabled: true })
    expect((await put('/inbound-icmp', { enabled: false })).status).toBe(204)
    expect(await get('/inbound-icmp')).toEqual({ enabled: false })
  })

  test.each([
    ['/allow-list', { allowed_ips: { allow: 'any' } }],
    ['/inbound-icmp', { enabled: true }],
  ])('of two changes of %s that saw the same state, one is stale', async (at, body) => {
    const { headers } = await from('127.0.0.1', 'GET', networking + at)
    const ifMatch = { 'if-match': headers.get('etag')! }
    const answers = await Promise.all(
      [1, 2].map(() => from('127.0.0.1', 'PUT', networking + at, body, ifMatch)),
    )
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(1)
  })
})

describe('a change that could cut the operator off', () => {
  const ext = '/ext/v1/system/networking'
  const allowed = async () => (await get('/allow-list')).allowed_ips
  const list = { type: 'allow_list', ...ofList('127.0.0.0/8', '192.0.2.0/24') }
  const trial = async (body: object) => (await operator.post(`${ext}/trials`, body)).body
  const stateOf = async (id: string) =>
    (await operator.get(`${ext}/trials`)).body.items.find((one: { id: string }) => one.id === id).state

  const reverted = (id: string) =>
    eventually(
      () => stateOf(id),
      (state) => state === 'reverted',
    )

  test('reverts automatically after a minute', async () => {
    const { id, state, remaining_ms } = await trial(list)
    expect(state).toBe('running')
    expect(remaining_ms).toBeLessThanOrEqual(60_000)
    expect(await allowed()).toEqual(list.allowed_ips)
    expect(said(await operator.post(`${ext}/trials`, list))).toContain('409 another change is waiting')
    bed.pass(61_000)
    await reverted(id)
    expect(await allowed()).toEqual({ allow: 'any' })
    expect(said(await operator.post(`${ext}/trials/${id}/confirm`))).toContain('409 the change is no longer')
  })

  test('reverts although the first look-up of the job fails', async () => {
    const { id } = await trial(list)
    beforeStatement = (text) => {
      if (!text.startsWith('select * from "network_trial" where "id"')) return
      beforeStatement = undefined
      throw new Error('the connection was lost')
    }
    bed.pass(61_000)
    await reverted(id)
    expect(beforeStatement).toBeUndefined()
    expect(await allowed()).toEqual({ allow: 'any' })
  })

  test('stays once confirmed, and can be reverted at once', async () => {
    const { id } = await trial(list)
    expect((await operator.post(`${ext}/trials/${id}/confirm`)).body).toMatchObject({ state: 'confirmed' })
    bed.pass(61_000)
    expect(await allowed()).toEqual(list.allowed_ips)
    const wider = await trial({ type: 'allow_list', ...ofList('127.0.0.0/8') })
    expect((await operator.post(`${ext}/trials/${wider.id}/revert`)).body.state).toBe('reverted')
    expect(await allowed()).toEqual(list.allowed_ips)
    await put('/allow-list', { allowed_ips: { allow: 'any' } })
  })

  describe('that names what it saw', () => {
    const seen = async (path: string) => (await operator.get(networking + path)).headers.get('etag') ?? ''
    const tried = (body: object, etag: string) =>
      operator.call('POST', `${ext}/trials`, body, { 'if-match': etag })

    test('is refused if the allow list has changed since', async () => {
      const etag = await seen('/allow-list')
      const { allowed_ips } = ofList('10.0.0.0/8')
      await put('/allow-list', { allowed_ips })
      const refused = await tried(list, etag)
      expect(said(refused)).toBe('412 the object changed since it was read')
      // The path lists trials, which are not what changed.
      expect(refused.body.current).toBeUndefined()
      expect(await allowed()).toEqual(allowed_ips)
      const { status, body } = await tried(list, await seen('/allow-list'))
      expect(status).toBe(201)
      await operator.post(`${ext}/trials/${body.id}/revert`)
      await put('/allow-list', { allowed_ips: { allow: 'any' } })
    })

    test('is refused if the settings or the port have', async () => {
      const settings = { type: 'switch_port_settings', settings: bareSettings('seen') }
      await post('/switch-port-settings', bareSettings('seen'))
      const etag = await seen('/switch-port-settings/seen')
      await post('/switch-port-settings', { ...bareSettings('seen'), description: 'by another' })
      expect((await tried(settings, etag)).status).toBe(412)
      expect((await get('/switch-port-settings/seen')).description).toBe('by another')
      const { items } = (await operator.get('/v1/system/hardware/switch-port?limit=1000')).body
      const port = { type: 'switch_port', switch_port_id: items[1].id, port_settings: 'seen' }
      expect((await tried(port, '"999"')).status).toBe(412)
      await remove('/switch-port-settings?port_settings=seen')
    })
  })

  test('is left alone after a direct change', async () => {
    const { id } = await trial(list)
    await put('/allow-list', ofList('10.0.0.0/8', '127.0.0.0/8'))
    expect(await stateOf(id)).toBe('superseded')
    bed.pass(61_000)
    expect((await allowed()).ips).toEqual(['10.0.0.0/8', '127.0.0.0/8'])
    await put('/allow-list', { allowed_ips: { allow: 'any' } })
  })

  test('to the allow list names the addresses with open sessions', async () => {
    const credentials = { username: 'admin', password: 'correct horse' }
    const { status } = await from('203.0.113.9', 'POST', '/v1/login/demo/local', credentials)
    expect(status).toBe(204)
    const losses = async () => (await operator.post(`${ext}/impact`, list)).body.losses
    expect(await losses()).toEqual([{ kind: 'session', text: '1 session from 203.0.113.9' }])
    // Idle for longer than a session stays open.
    const idle = { time_last_used: new Date(Date.now() - 9 * 3_600_000) }
    await bed.db.updateTable('console_session').set(idle).where('address', '=', '203.0.113.9').execute()
    expect(await losses()).toEqual([])
  })

  test('to an uplink names what is lost, and brings it back', async () => {
    const { items } = (await operator.get('/v1/system/hardware/switch-port?limit=1000')).body
    const port = items.find((one: { port_settings_id: string | null }) => one.port_settings_id)
    const clear = { type: 'switch_port', switch_port_id: port.id, port_settings: null }
    bed.pass(settled)
    const { losses } = (await operator.post(`${ext}/impact`, clear)).body
    expect(losses.map((loss: { text: string }) => loss.text)).toEqual([
      'The link phy0 of switch0 qsfp0',
      'The BGP session with 203.0.113.1 on switch0 qsfp0',
      '203.0.113.0/24 is no longer announced to 203.0.113.1',
      'The route to 0.0.0.0/0 by 203.0.113.1',
      'The route to 198.18.0.0/15 by 203.0.113.1',
      'No other uplink is up: the rack would be cut off.',
    ])
    const { id } = await trial(clear)
    expect(await get('/bgp-status')).toEqual([])
    bed.pass(61_000)
    await reverted(id)
    bed.pass(settled)
    expect(await get('/bgp-status')).toMatchObject([{ state: 'established' }])
  })

  describe('to a port', () => {
    const portAt = async (name: string) =>
      (await operator.get('/v1/system/hardware/switch-port?limit=1000')).body.items.find(
        (one: { port_name: string; switch_location: string }) =>
          one.port_name === name && one.switch_location === 'switch0',
      )
    const settingsOf = async (name: string): Promise<string> => (await portAt(name)).port_settings_id
    const settings = async (name: string): Promise<string> =>
      (await post('/switch-port-settings', bareSettings(name))).body.id
    const moved = async (to: string) =>
      trial({ type: 'switch_port', switch_port_id: (await portAt('qsfp2')).id, port_settings: to })

    test('keeps the settings that would return until it is decided', async () => {
      const old = await settings('old')
      await settings('new')
      await apply('qsfp2', 'old')
      const { id } = await moved('new')
      const refused = await remove('/switch-port-settings?port_settings=old')
      expect(said(refused)).toBe('409 port settings are in use')
      expect(refused.body.help).toBe(
        'switch0 qsfp2 gets them back if its change reverts. Confirm or revert that change first.',
      )
      bed.pass(61_000)
      await reverted(id)
      expect(await settingsOf('qsfp2')).toBe(old)
      const next = await moved('new')
      await operator.post(`${ext}/trials/${next.id}/confirm`)
      expect((await remove('/switch-port-settings?port_settings=old')).status).toBe(204)
    })

    test('stays if the settings that would return are gone', async () => {
      const leaving = await settings('leaving')
      await apply('qsfp2', 'leaving')
      const { id } = await moved('new')
      await bed.db
        .updateTable('switch_port_settings')
        .set({ time_deleted: new Date() })
        .where('id', '=', leaving)
        .execute()
      const answer = await operator.post(`${ext}/trials/${id}/revert`)
      expect(answer.body.state).toBe('superseded')
      expect(await settingsOf('qsfp2')).toBe((await get('/switch-port-settings/new')).id)
      await operator.call('DELETE', portPath(rack, 'qsfp2', 'settings'))
    })
  })

  test('to settings in use keeps their addresses and keys until it is decided', async () => {
    const moved = uplinkSettings('uplink', { address: '203.0.113.202/30', peer: { addr: '203.0.113.201' } })
    const wanted = { type: 'switch_port_settings', settings: moved }
    bed.pass(settled)
    const { losses } = (await operator.post(`${ext}/impact`, wanted)).body
    const texts = losses.map((loss: { text: string }) => loss.text)
    expect(texts).toContain('The BGP session with 203.0.113.1 on switch0 qsfp0')
    // The link of the only uplink stays up.
    expect(texts).not.toContain('No other uplink is up: the rack would be cut off.')
    const before = await get('/switch-port-settings/uplink')
    const { id } = await trial(wanted)
    // No other object can take the old address meanwhile.
    expect(said(await post('/switch-port-settings', uplinkSettings('thief')))).toBe('400 address unavailable')
    bed.pass(61_000)
    await reverted(id)
    expect((await get('/switch-port-settings/uplink')).addresses).toEqual(before.addresses)
    const taken = uplinkSettings('free', { address: '203.0.113.202/30', peer: { addr: '203.0.113.201' } })
    expect((await post('/switch-port-settings', taken)).status).toBe(201)
  })

  test('to settings in use keeps their BGP configuration until it is decided', async () => {
    const interim = { ...named('interim'), asn: 64_510, bgp_announce_set_id: 'announced' }
    expect((await post('/bgp', interim)).status).toBe(201)
    const settings = uplinkSettings('uplink', { peer: { bgp_config: 'interim' } })
    const { id } = await trial({ type: 'switch_port_settings', settings })
    expect(said(await remove('/bgp?name_or_id=peering'))).toBe(
      '409 BGP Config is in use and cannot be deleted',
    )
    await operator.post(`${ext}/trials/${id}/revert`)
    expect((await remove('/bgp?name_or_id=interim')).status).toBe(204)
  })

  describe('to the contents of settings', () => {
    const movedTo = (address: string, addr: string) =>
      trial({
        type: 'switch_port_settings',
        settings: uplinkSettings('uplink', { address, peer: { addr } }),
      })
    const revert = async (id: string) => (await operator.post(`${ext}/trials/${id}/revert`)).body.state

    test('is reverted as a whole, so LLDP is not edited meanwhile', async () => {
      const before = await get('/switch-port-settings/uplink')
      const { id } = await movedTo('203.0.113.206/30', '203.0.113.205')
      const path = portPath(rack, 'qsfp0', 'lldp/config')
      const edit = async () =>
        operator.post(path, { ...(await operator.get(path)).body, system_name: 'rack-2' })
      const refused = await edit()
      expect(said(refused)).toBe('409 another change is waiting for confirmation')
      expect(refused.body.help).toBe('Confirm or revert that change first.')
      expect(await revert(id)).toBe('reverted')
      const { addresses, links } = await get('/switch-port-settings/uplink')
      expect({ addresses, links }).toEqual({ addresses: before.addresses, links: before.links })
      expect((await edit()).status).toBe(204)
    })

    test('releases the addresses that would have returned, if the contents were edited since', async () => {
      const settings = await get('/switch-port-settings/uplink')
      const { id } = await movedTo('203.0.113.210/30', '203.0.113.209')
      await bed.db
        .updateTable('switch_port_settings')
        .set((eb) => ({ generation: eb('generation', '+', 1) }))
        .where('id', '=', settings.id)
        .execute()
      expect(await revert(id)).toBe('superseded')
      const held = bed.db.selectFrom('address_reservation').select('address_key')
      expect(await held.where('holder_id', '=', settings.id).execute()).toHaveLength(1)
    })
  })
})
