import { peerTimers } from '@gantry/api/rack-network/switch-port.rules'
import type { Caller } from './control-plane.ts'

export const networking = '/v1/system/networking'

/** A link that agrees with the router at the other end of the cable. */
export const uplinkLink = {
  link_name: 'phy0',
  mtu: 9000,
  speed: 'speed100_g',
  fec: 'rs',
  autoneg: false,
  lldp: { enabled: true },
}

/** Settings without links. */
export const bareSettings = (name: string) => ({
  name,
  description: '',
  port_config: { geometry: 'qsfp28x1' },
  links: [],
  addresses: [],
})

export const peerAt = (addr: string, bgp_config: string) => ({
  bgp_config,
  interface_name: 'phy0',
  addr,
  ...peerTimers,
  communities: [],
  enforce_first_as: false,
  allowed_import: { type: 'no_filtering' },
  allowed_export: { type: 'no_filtering' },
})

/** Settings of an uplink with an address, whose neighbour in 203.0.113.0/30 is .1, and a BGP peer. */
export const uplinkSettings = (name: string, more: { address?: string; peer?: object } = {}) => ({
  ...bareSettings(name),
  links: [uplinkLink],
  addresses: [
    {
      link_name: 'phy0',
      addresses: [{ address_lot: 'uplinks', address: more.address ?? '203.0.113.2/30' }],
    },
  ],
  bgp_peers: [{ link_name: 'phy0', peers: [{ ...peerAt('203.0.113.1', 'peering'), ...more.peer }] }],
})

async function must(answer: ReturnType<Caller['get']>): Promise<{ body: { blocks: { id: string }[] } }> {
  const { status, body } = await answer
  if (status >= 300) throw new Error(JSON.stringify(body))
  return { body }
}

/**
 * An address lot `uplinks`, a BGP configuration `peering` that announces a network of it, and settings `uplink`
 * on port `qsfp0` of `switch0`.
 */
export async function furnishNetwork(operator: Caller): Promise<{ rack: string; block: string }> {
  const { items: racks } = (await operator.get('/v1/system/hardware/racks')).body
  const rack: string = racks[0].id
  const { body } = await must(
    operator.post(`${networking}/address-lot`, {
      name: 'uplinks',
      description: '',
      kind: 'infra',
      blocks: [{ first_address: '203.0.113.0', last_address: '203.0.113.255' }],
    }),
  )
  const block = body.blocks[0]?.id ?? ''
  await must(
    operator.call('PUT', `${networking}/bgp-announce-set`, {
      name: 'announced',
      description: '',
      announcement: [{ address_lot_block: block, network: '203.0.113.128/25' }],
    }),
  )
  await must(
    operator.post(`${networking}/bgp`, {
      name: 'peering',
      description: '',
      asn: 64_500,
      bgp_announce_set_id: 'announced',
    }),
  )
  await must(operator.post(`${networking}/switch-port-settings`, uplinkSettings('uplink')))
  await must(operator.post(portPath(rack, 'qsfp0', 'settings'), { port_settings: 'uplink' }))
  return { rack, block }
}

export const portPath = (rack: string, port: string, what: string, location = 'switch0'): string =>
  `/v1/system/hardware/switch-port/${port}/${what}?rack_id=${rack}&switch_location=${location}`
