import { createFileRoute, Outlet } from '@tanstack/react-router'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'

export const Route = createFileRoute('/_console/_silo/_all')({
  staticData: { crumb: { label: 'All projects', to: '/all/instances' } },
  component: AllProjects,
})

const tabs = [
  { id: 'instances', label: 'Instances', link: { to: '/all/instances' } },
  { id: 'disks', label: 'Disks', link: { to: '/all/disks' } },
  { id: 'snapshots', label: 'Snapshots', link: { to: '/all/snapshots' } },
  {
    id: 'instance-snapshots',
    label: 'Instance snapshots',
    link: { to: '/all/instance-snapshots' },
  },
  { id: 'backups', label: 'Backups', link: { to: '/all/backups' } },
  { id: 'images', label: 'Images', link: { to: '/all/images' } },
  { id: 'vpcs', label: 'VPCs', link: { to: '/all/vpcs' } },
  { id: 'floating-ips', label: 'Floating IPs', link: { to: '/all/floating-ips' } },
  { id: 'external-subnets', label: 'External subnets', link: { to: '/all/external-subnets' } },
] as const

function AllProjects() {
  return (
    <ListPage
      title="All projects"
      docs={
        <DocsPopover topic="projects" page="places#projects">
          What all projects contain that you may see. Each list has a filter, such as project:web* for some of
          the projects.
        </DocsPopover>
      }
    >
      <RouteTabs label="All projects" tabs={tabs}>
        <Outlet />
      </RouteTabs>
    </ListPage>
  )
}
