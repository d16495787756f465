import { inRow, press, type Overlays, type Step } from './steps.ts'

/** Enables a BFD session unless it exists. */
const withBfd: Step = (page) =>
  page.evaluate(async () => {
    await fetch('/v1/system/networking/bfd-enable', {
      method: 'POST',
      body: JSON.stringify({
        switch: 'switch0',
        remote: '203.0.113.1',
        detection_threshold: 3,
        required_rx: 300_000,
        mode: 'single_hop',
      }),
      headers: { 'content-type': 'application/json' },
    })
  })

const withLoopback: Step = (page) =>
  page.evaluate(async () => {
    const racks = await (await fetch('/v1/system/hardware/racks')).json()
    await fetch('/v1/system/networking/loopback-address', {
      method: 'POST',
      body: JSON.stringify({
        address_lot: 'uplinks',
        rack_id: racks.items[0].id,
        switch_location: 'switch0',
        address: '203.0.113.250',
        mask: 32,
        anycast: false,
      }),
      headers: { 'content-type': 'application/json' },
    })
  })

export const rackNetworkOverlays: Overlays = {
  'features/rack-network/AllowListForm.tsx': [
    ['/system/networking/allow-list', 'Edit allow list', press('Edit allow list')],
  ],
  'features/rack-network/ApplySettings.tsx': [
    ['/system/networking/fabric', 'Apply settings to a port', press('Apply settings')],
  ],
  'features/rack-network/lots.tsx': [
    ['/system/networking/address-lots', 'Confirm delete address lot', inRow('uplinks', 'Delete')],
  ],
  'features/rack-network/LinkStatePanel.tsx': [
    ['/system/networking/fabric', 'Link state', inRow('switch0 qsfp0', 'View link state')],
  ],
  'features/rack-network/lldp/LldpPanel.tsx': [
    ['/system/networking/fabric', 'LLDP', inRow('switch0 qsfp0', 'View LLDP')],
  ],
  'features/rack-network/lldp/LldpForm.tsx': [
    [
      '/system/networking/fabric',
      'Edit LLDP configuration',
      inRow('switch0 qsfp0', 'View LLDP'),
      press('Edit configuration'),
    ],
  ],
  'features/rack-network/bfd.tsx': [
    ['/system/networking/bfd', 'Confirm disable BFD session', withBfd, inRow('203.0.113.1', 'Disable')],
  ],
  'routes/_console/system/networking/_rack/_loopback-addresses/route.tsx': [
    [
      '/system/networking/loopback-addresses',
      'Confirm delete loopback address',
      withLoopback,
      inRow('203.0.113.250/32', 'Delete'),
    ],
  ],
  'routes/_console/system/networking/_rack/_bfd/bfd-new.tsx': [
    ['/system/networking/bfd-new', 'Enable BFD session'],
  ],
  'routes/_console/system/networking/_rack/_loopback-addresses/loopback-addresses-new.tsx': [
    ['/system/networking/loopback-addresses-new', 'Create loopback address'],
  ],
  'features/rack-network/port-settings/AddParts.tsx': [
    ['/system/networking/port-settings/uplink/edit', 'Add address', press('Add address')],
    ['/system/networking/port-settings/uplink/edit', 'Add route', press('Add route')],
    ['/system/networking/port-settings-new', 'Add link', press('Add link')],
  ],
  'features/rack-network/port-settings/AddPeer.tsx': [
    ['/system/networking/port-settings/uplink/edit', 'Add BGP peer', press('Add BGP peer')],
  ],
  'features/rack-network/port-settings/use-settings-actions.tsx': [
    ['/system/networking/port-settings', 'Confirm delete port settings', inRow('spare', 'Delete')],
  ],
  'routes/_console/system/networking/_rack/_port-settings/port-settings-new.tsx': [
    ['/system/networking/port-settings-new', 'Create port settings'],
  ],
  'routes/_console/system/networking/port-settings/$settings/edit.tsx': [
    ['/system/networking/port-settings/uplink/edit', 'Replace uplink'],
  ],
  'routes/_console/system/networking/_rack/_bgp/route.tsx': [
    ['/system/networking/bgp', 'Confirm delete BGP configuration', inRow('peering', 'Delete')],
  ],
  'features/rack-network/bgp/SessionPanel.tsx': [
    ['/system/networking/bgp?session=switch0%20203.0.113.1', '203.0.113.1'],
  ],
  'routes/_console/system/networking/_rack/_announce-sets/route.tsx': [
    ['/system/networking/announce-sets', 'Confirm delete announce set', inRow('announced', 'Delete')],
  ],
  'routes/_console/system/networking/_rack/_bgp/bgp.$config.edit.tsx': [
    ['/system/networking/bgp/peering/edit', 'Edit BGP configuration'],
  ],
  'routes/_console/system/networking/_rack/_bgp/bgp-new.tsx': [
    ['/system/networking/bgp-new', 'Create BGP configuration'],
  ],
  'routes/_console/system/networking/_rack/_announce-sets/announce-sets-new.tsx': [
    ['/system/networking/announce-sets-new', 'Create announce set'],
  ],
  'routes/_console/system/networking/_rack/_announce-sets/announce-sets.$set.edit.tsx': [
    ['/system/networking/announce-sets/announced/edit', 'Replace networks of announced'],
  ],
  'routes/_console/system/networking/_rack/_address-lots/address-lots-new.tsx': [
    ['/system/networking/address-lots-new', 'Create address lot'],
  ],
  'features/rack-network/TryChange.tsx': [
    [
      '/system/networking/fabric',
      'Clear settings of switch0 qsfp0',
      inRow('switch0 qsfp0', 'Clear settings'),
    ],
  ],
}
