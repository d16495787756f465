import { furnishNetwork } from '../support/network-steps.ts'
import type { Area } from './area.ts'

export const rackNetwork: Area = {
  name: 'the rack network',
  forFleetViewers: true,
  screens: [
    ['fabric', '/system/networking/fabric', true, ['button', 'Apply settings']],
    ['port settings', '/system/networking/port-settings', true, ['link', 'uplink']],
    ['new port settings', '/system/networking/port-settings-new', true, ['button', 'Create port settings']],
    ['settings of a port', '/system/networking/port-settings/uplink', true, ['heading', 'BGP peers']],
    [
      'replace port settings',
      '/system/networking/port-settings/uplink/edit',
      true,
      ['button', 'Review change'],
    ],
    ['BGP', '/system/networking/bgp', true, ['heading', 'Configurations']],
    [
      'BGP session',
      '/system/networking/bgp?session=switch0%20203.0.113.1',
      true,
      ['heading', 'Learned networks'],
    ],
    [
      'edit BGP configuration',
      '/system/networking/bgp/peering/edit',
      true,
      ['button', 'Update BGP configuration'],
    ],
    ['new BGP configuration', '/system/networking/bgp-new', true, ['button', 'Create BGP configuration']],
    ['announce sets', '/system/networking/announce-sets', true, ['tabpanel', 'Announce sets']],
    ['new announce set', '/system/networking/announce-sets-new', true, ['button', 'Create announce set']],
    [
      'replace networks',
      '/system/networking/announce-sets/announced/edit',
      true,
      ['button', 'Replace networks'],
    ],
    ['BFD', '/system/networking/bfd', true, ['tabpanel', 'BFD']],
    ['new BFD session', '/system/networking/bfd-new', true, ['button', 'Enable BFD session']],
    ['loopback addresses', '/system/networking/loopback-addresses', true, ['tabpanel', 'Loopback addresses']],
    [
      'new loopback address',
      '/system/networking/loopback-addresses-new',
      true,
      ['button', 'Create loopback address'],
    ],
    ['address lot', '/system/networking/address-lots/uplinks', true, ['tabpanel', 'Blocks']],
    ['address lots', '/system/networking/address-lots', true, ['tabpanel', 'Address lots']],
    ['new address lot', '/system/networking/address-lots-new', true, ['button', 'Create address lot']],
    ['allow list', '/system/networking/allow-list', true, ['heading', 'Inbound ICMP']],
  ],
  furnish: async ({ api }) => {
    await furnishNetwork(api)
  },
}
