// @chunk found-rows: of lists in one project and in all of them, which no other page needs.
import type { ReactNode } from 'react'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { useHasExtensions } from '#/kit/page/use-served.ts'

interface Props {
  project: string
  children: ReactNode
}

/** The two lists of snapshots: of single disks, and of whole instances. */
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
      ]}
    >
      {children}
    </RouteTabs>
  )
}
