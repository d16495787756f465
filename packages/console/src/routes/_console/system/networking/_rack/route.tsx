import { createFileRoute, Outlet } from '@tanstack/react-router'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { trials } from '#/features/rack-network/queries.ts'
import { TrialNotes } from '#/features/rack-network/TrialNotes.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack')({
  loader: ({ context }) => context.tryPrefetch(trials),
  staticData: { crumb: { label: 'Networking', to: '/system/networking/fabric' } },
  component: RackNetwork,
})

const tabs = [
  { id: 'fabric', label: 'Fabric', link: { to: '/system/networking/fabric' } },
  { id: 'port-settings', label: 'Port settings', link: { to: '/system/networking/port-settings' } },
  { id: 'bgp', label: 'BGP', link: { to: '/system/networking/bgp' } },
  { id: 'announce-sets', label: 'Announce sets', link: { to: '/system/networking/announce-sets' } },
  { id: 'bfd', label: 'BFD', link: { to: '/system/networking/bfd' } },
  {
    id: 'loopback-addresses',
    label: 'Loopback addresses',
    link: { to: '/system/networking/loopback-addresses' },
  },
  { id: 'address-lots', label: 'Address lots', link: { to: '/system/networking/address-lots' } },
  { id: 'allow-list', label: 'Allow list', link: { to: '/system/networking/allow-list' } },
] as const

function RackNetwork() {
  return (
    <ListPage
      title="Networking"
      docs={
        <DocsPopover topic="the network of the rack" page="hardware#switches-and-the-racks-network">
          Switches connect the rack to other networks. Settings give a port its links, addresses, routes and
          BGP peers; BGP announces the networks of an announce set to each peer.
        </DocsPopover>
      }
    >
      <TrialNotes />
      <RouteTabs label="Networking" tabs={tabs}>
        <Outlet />
      </RouteTabs>
    </ListPage>
  )
}
