import { expect, test } from 'vitest'
import type { PortSettings } from './queries.ts'
import { bodyFrom, emptySettings, type PeerValue, valuesOf } from './values.ts'

const peer = {
  addr: { type: 'numbered', targetAddr: '203.0.113.1' },
  bgpConfig: 'peering',
} as unknown as PeerValue

test('parts are grouped by their link', () =>
  expect(
    bodyFrom({
      ...emptySettings,
      name: 'uplink',
      addresses: [
        { linkName: 'phy0', addressLot: 'lot', address: '203.0.113.2/30' },
        { linkName: 'phy1', addressLot: 'lot', address: '203.0.113.6/30' },
        { linkName: 'phy0', addressLot: 'lot', address: '203.0.113.10/30' },
      ],
      routes: [{ linkName: 'phy0', dst: '0.0.0.0/0', gw: '203.0.113.1' }],
      peers: [{ ...peer, linkName: 'phy1' }],
    }),
  ).toMatchObject({
    name: 'uplink',
    portConfig: { geometry: 'qsfp28x1' },
    addresses: [
      {
        linkName: 'phy0',
        addresses: [
          { addressLot: 'lot', address: '203.0.113.2/30' },
          { addressLot: 'lot', address: '203.0.113.10/30' },
        ],
      },
      { linkName: 'phy1', addresses: [{ addressLot: 'lot', address: '203.0.113.6/30' }] },
    ],
    routes: [{ linkName: 'phy0', routes: [{ dst: '0.0.0.0/0', gw: '203.0.113.1' }] }],
    bgpPeers: [{ linkName: 'phy1', peers: [peer] }],
  }))

test('existing settings keep the fields that the form does not show', () => {
  const values = valuesOf({
    name: 'uplink',
    description: 'to the edge',
    port: { geometry: 'qsfp28x2' },
    links: [
      {
        linkName: 'phy0',
        mtu: 9000,
        fec: null,
        speed: 'speed100_g',
        autoneg: false,
        lldpLinkConfig: { id: 'x', enabled: true, systemName: 'rack' },
        txEqConfig: { pre1: 3 },
      },
    ],
    interfaces: [{ id: 'i', interfaceName: 'phy0', v6Enabled: true, kind: { type: 'vlan', vid: 7 } }],
    routes: [{ interfaceName: 'phy0', dst: '::/0', gw: 'fd00::1', vlanId: 0, ribPriority: null }],
    addresses: [],
    bgpPeers: [{ ...peer, interfaceName: 'phy0', md5AuthKey: null, hasMd5AuthKey: true }],
  } as unknown as PortSettings)
  expect(values).toEqual({
    name: 'uplink',
    description: 'to the edge',
    geometry: 'qsfp28x2',
    links: [
      {
        linkName: 'phy0',
        mtu: 9000,
        speed: 'speed100_g',
        autoneg: false,
        lldp: { enabled: true, systemName: 'rack' },
        txEq: { pre1: 3 },
      },
    ],
    interfaces: [{ linkName: 'phy0', v6Enabled: true, kind: { type: 'vlan', vid: 7 } }],
    routes: [{ linkName: 'phy0', dst: '::/0', gw: 'fd00::1', vid: 0 }],
    addresses: [],
    peers: [{ ...peer, linkName: 'phy0' }],
  })
})
