import { newestVersionText, versionHeader } from '@gantry/api/versions/newest.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  type Caller,
  said,
  testControlPlane,
  type TestBed,
} from '../../testing/control-plane.ts'
import { furnishNetwork, networking, uplinkSettings } from '../../testing/rack-network.ts'

let bed: TestBed
let operator: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  await furnishNetwork(operator)
})
afterAll(() => bed.stop())

const call = (method: string, path: string, body?: unknown, version = newestVersionText) =>
  operator.call(method, networking + path, body, { [versionHeader]: version })
const get = async (path: string, version?: string) => (await call('GET', path, undefined, version)).body

const unnumbered = { type: 'unnumbered', router_lifetime: 1800 }
const numbered = { type: 'numbered', target_addr: '203.0.113.1' }
const peerWith = (addr: object) => {
  const { interface_name: _, ...peer } = uplinkSettings('uplink').bgp_peers[0]?.peers[0] ?? {
    interface_name: '',
  }
  return { ...peer, addr }
}
const settingsWith = (...addrs: object[]) => ({
  ...uplinkSettings('uplink'),
  bgp_peers: [{ link_name: 'phy0', peers: addrs.map(peerWith) }],
})
const replace = async (...addrs: object[]): Promise<Answer> => {
  const answer = await call('POST', '/switch-port-settings', settingsWith(...addrs))
  bed.pass(60_000)
  return answer
}

describe('a peer without an address', () => {
  test('is whichever router is at the other end of the link', async () => {
    const made = await replace(unnumbered)
    expect(made.status).toBe(201)
    expect(made.body.bgp_peers).toMatchObject([{ addr: unnumbered, interface_name: 'phy0' }])
    expect(await get('/switch-port-settings/uplink')).toEqual(made.body)
    expect(await get('/bgp-status')).toMatchObject([
      { addr: 'fe80::47:41ff:fe00:1', peer_id: 'qsfp0/phy0', state: 'established', remote_asn: 64_496 },
    ])
    expect(await get('/bgp-exported')).toEqual([
      { peer_id: 'qsfp0/phy0', switch: 'switch0', prefix: '203.0.113.128/25' },
    ])
    expect(await get('/bgp-imported?asn=64500')).toContainEqual({
      prefix: '0.0.0.0/0',
      nexthop: 'fe80::47:41ff:fe00:1',
      id: 0,
      switch: 'switch0',
    })
    expect(Object.keys((await get('/bgp-message-history?asn=64500')).switch_histories[0].history)).toEqual([
      'qsfp0/phy0',
    ])
  })

  test('is not found where IPv6 is off', async () => {
    const interfaces = [{ link_name: 'phy0', v6_enabled: false, kind: { type: 'primary' } }]
    await call('POST', '/switch-port-settings', { ...settingsWith(unnumbered), interfaces })
    bed.pass(60_000)
    const { racks } = (await operator.get('/ext/v1/system/networking/fabric')).body
    expect(racks[0].switches[0].ports[0].peers).toMatchObject([
      {
        peer_id: 'qsfp0/phy0',
        state: 'active',
        reason: 'IPv6 is off on the link phy0, and routers find each other by it.',
      },
    ])
    await replace(unnumbered)
  })

  test('is told by versions that have words for it', async () => {
    const [between] = (await get('/switch-port-settings/uplink', '2026021301.0.0')).bgp_peers
    expect(between).toMatchObject({ addr: null, router_lifetime: 1800, interface_name: 'phy0' })
    const before = await call('GET', '/switch-port-settings/uplink', undefined, '2026020900.0.0')
    expect(said(before)).toBe('400 the BGP peer on phy0 has no address, which this version cannot tell')
    expect(before.body.error_code).toBe('InvalidRequest')
    // A list is of names alone, and never fails.
    expect((await get('/switch-port-settings', '2026020900.0.0')).items).toHaveLength(1)
  })

  test('is what older versions called a null or unspecified address', async () => {
    for (const addr of [null, '0.0.0.0', '::']) {
      const { bgp_peers, ...settings } = settingsWith({})
      const peer = { ...bgp_peers[0]?.peers[0], addr, router_lifetime: 9000, interface_name: 'phy0' }
      const body = { ...settings, bgp_peers: [{ link_name: 'phy0', peers: [peer] }] }
      expect((await call('POST', '/switch-port-settings', body, '2026021301.0.0')).status).toBe(201)
      expect((await get('/switch-port-settings/uplink')).bgp_peers[0].addr).toEqual({
        type: 'unnumbered',
        router_lifetime: 9000,
      })
      peer.router_lifetime = 9001
      expect(said(await call('POST', '/switch-port-settings', body, '2026021301.0.0'))).toBe(
        '400 the router lifetime of a peer without an address is at most 9000 s',
      )
    }
  })

  test('is one on each link', async () => {
    expect(said(await replace(unnumbered, unnumbered))).toBe(
      '400 the link phy0 has several BGP peers without an address',
    )
    expect((await replace(unnumbered, numbered)).status).toBe(201)
    const ids = (await get('/bgp-status')).map(({ peer_id }: { peer_id: string }) => peer_id)
    expect(ids).toEqual(['qsfp0/phy0', '203.0.113.1'])
  })

  test('is named in what a change would cut off', async () => {
    await replace(unnumbered)
    const settings = settingsWith()
    const impact = await operator.call(
      'POST',
      '/ext/v1/system/networking/impact',
      { type: 'switch_port_settings', settings },
      { [versionHeader]: newestVersionText },
    )
    expect(JSON.stringify(impact.body)).toContain('The BGP session with qsfp0/phy0 on switch0 qsfp0')
  })
})

describe('a peer with an address', () => {
  test('is spoken to from the source that it names', async () => {
    const from = (src_addr: string) => replace({ ...numbered, src_addr })
    const made = await from('203.0.113.2')
    expect(made.body.bgp_peers).toMatchObject([{ addr: { ...numbered, src_addr: '203.0.113.2' } }])
    expect(await get('/bgp-status')).toMatchObject([{ peer_id: '203.0.113.1', state: 'established' }])
    await from('203.0.113.99')
    expect(await get('/bgp-status')).toMatchObject([{ state: 'active' }])
    const older = await call('GET', '/switch-port-settings/uplink', undefined, '2026041600.0.0')
    expect([older.status, older.body.error_code]).toEqual([400, 'InvalidRequest'])
    await replace(numbered)
    expect((await get('/switch-port-settings/uplink', '2026041600.0.0')).bgp_peers[0].addr).toEqual({
      type: 'numbered',
      ip: '203.0.113.1',
    })
    expect((await get('/switch-port-settings/uplink', '2026020900.0.0')).bgp_peers[0].addr).toBe(
      '203.0.113.1',
    )
  })

  test.each([
    ['0.0.0.0', 'the unspecified address'],
    ['127.0.0.1', 'a loopback address'],
    ['224.0.0.5', 'a multicast address'],
    ['255.255.255.255', 'the broadcast address'],
    ['::', 'the unspecified address'],
    ['::1', 'the loopback address'],
    ['::ffff:10.0.0.1', 'a mapped IPv4 address'],
    ['fe80::1', 'a link-local address'],
    ['ff02::1', 'a multicast address'],
  ])('is not %s', async (address, words) => {
    const target = await replace({ ...numbered, target_addr: address })
    expect(said(target)).toBe(`400 unsupported value for "target_addr": Must not be ${words}`)
    const source = await replace({ ...numbered, src_addr: address })
    expect(said(source)).toBe(`400 unsupported value for "src_addr": Must not be ${words}`)
  })

  test('has both ends in one version', async () => {
    expect((await replace({ ...numbered, src_addr: 'fd00::1' })).status).toBe(400)
    for (const router_lifetime of [-1, 9001, 1.5, '10'])
      expect((await replace({ type: 'unnumbered', router_lifetime })).status).toBe(400)
  })
})
