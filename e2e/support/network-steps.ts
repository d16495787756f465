type Api = (user: 'admin', method: string, path: string, body?: unknown) => Promise<unknown>

const network = '/v1/system/networking'

/**
 * An uplink on `qsfp0` of `switch0` with its BGP peer, and settings `spare` that no port uses. Repeating it
 * changes nothing, because these operations create or replace by name.
 */
export async function furnishNetwork(api: Api): Promise<void> {
  const named = (name: string) => ({ name, description: '' })
  const lot = (await api('admin', 'POST', `${network}/address-lot`, {
    ...named('uplinks'),
    kind: 'infra',
    blocks: [{ first_address: '203.0.113.0', last_address: '203.0.113.255' }],
  })) as { blocks: { id: string }[] }
  await api('admin', 'PUT', `${network}/bgp-announce-set`, {
    ...named('announced'),
    announcement: [{ address_lot_block: lot.blocks[0]?.id, network: '203.0.113.128/25' }],
  })
  const config = { ...named('peering'), asn: 64_500, bgp_announce_set_id: 'announced' }
  await api('admin', 'POST', `${network}/bgp`, config)
  const bare = { port_config: { geometry: 'qsfp28x1' }, links: [], addresses: [] }
  await api('admin', 'POST', `${network}/switch-port-settings`, { ...named('spare'), ...bare })
  const everything = { type: 'no_filtering' }
  await api('admin', 'POST', `${network}/switch-port-settings`, {
    ...named('uplink'),
    ...bare,
    links: [
      {
        link_name: 'phy0',
        mtu: 9000,
        speed: 'speed100_g',
        fec: 'rs',
        autoneg: false,
        lldp: { enabled: true },
      },
    ],
    addresses: [{ link_name: 'phy0', addresses: [{ address_lot: 'uplinks', address: '203.0.113.2/30' }] }],
    bgp_peers: [
      {
        link_name: 'phy0',
        peers: [
          {
            bgp_config: 'peering',
            interface_name: 'phy0',
            addr: '203.0.113.1',
            hold_time: 6,
            idle_hold_time: 3,
            delay_open: 0,
            connect_retry: 3,
            keepalive: 2,
            communities: [],
            enforce_first_as: false,
            allowed_import: everything,
            allowed_export: everything,
          },
        ],
      },
    ],
  })
  const { items } = (await api('admin', 'GET', '/v1/system/hardware/racks')) as { items: { id: string }[] }
  const place = `rack_id=${items[0]?.id}&switch_location=switch0`
  const path = `/v1/system/hardware/switch-port/qsfp0/settings?${place}`
  await api('admin', 'POST', path, { port_settings: 'uplink' })
}
