// @chunk found-lists: of lists that are filtered, in one project and in all of them, which few other pages need.
import type { ReactNode } from 'react'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'

interface Props {
  project: string
  children: ReactNode
}

/** Copies of single disks, of whole instances, and those outside of the installation's storage. */
export function SnapshotTabs({ project, children }: Props) {
  if (!useHasExtensions()) return children
  return (
    <RouteTabs
      label="Snapshots"
      tabs={[
        {
          id: 'disks',
          label: 'Disk snapshots',
          link: { to: '/projects/$project/snapshots', params: { project } },
        },
        {
          id: 'instances',
          label: 'Instance snapshots',
          link: { to: '/projects/$project/instance-snapshots', params: { project } },
        },
        {
          id: 'backups',
          label: 'Backups',
          link: { to: '/projects/$project/backups', params: { project } },
        },
      ]}
    >
      {children}
    </RouteTabs>
  )
}
