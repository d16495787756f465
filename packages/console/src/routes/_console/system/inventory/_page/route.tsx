import { createFileRoute, Outlet } from '@tanstack/react-router'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'

export const Route = createFileRoute('/_console/system/inventory/_page')({
  staticData: { crumb: { label: 'Inventory', to: '/system/inventory/sleds' } },
  component: Inventory,
})

const tabs = [
  { id: 'sleds', label: 'Sleds', link: { to: '/system/inventory/sleds' } },
  { id: 'rack', label: 'Rack', link: { to: '/system/inventory/racks' }, isExtension: true },
  { id: 'disks', label: 'Disks', link: { to: '/system/inventory/disks' } },
  { id: 'switches', label: 'Switches', link: { to: '/system/inventory/switches' } },
] as const

function Inventory() {
  return (
    <ListPage
      title="Inventory"
      docs={
        <DocsPopover topic="inventory" page="hardware#sleds">
          The hardware of the installation. Instances run on sleds; each sled has physical disks, and switches
          connect the sleds of a rack.
        </DocsPopover>
      }
    >
      <RouteTabs label="Inventory" tabs={tabs}>
        <Outlet />
      </RouteTabs>
    </ListPage>
  )
}
