import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { createdColumn, plainNameColumn, sizeColumn } from '#/features/common/columns.tsx'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import { loadList } from '#/features/common/load-list.ts'
import { NameOf, type Names, useNames } from '#/features/common/names.tsx'
import { pollWhile } from '#/features/common/poll-while.ts'
import { useWhyNotInProject } from '#/features/common/project-permission.ts'
import { ResourceList } from '#/features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { DiskState, isTransitional } from '#/features/disks/DiskState.tsx'
import { type Disk, disksIn } from '#/features/disks/queries.ts'
import { useDiskRowActions } from '#/features/disks/use-disk-row-actions.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { allInstances } from '#/features/instances/queries.ts'
import type { Column } from '#/ui/column.ts'
import { EmptyCell } from '#/ui/Truncate.tsx'

export const Route = createFileRoute('/_console/projects/$project/_disks')({
  validateSearch: pageSearch,
  loader: ({ params: { project }, ...visit }) => loadList(visit, disksIn(project), allInstances(project)),
  staticData: { crumb: { label: 'Disks', to: '/projects/$project/disks' } },
  component: Disks,
})

const columnsIn = (project: string, instances: Names): Column<Disk>[] => [
  plainNameColumn<Disk>(),
  {
    id: 'attached-to',
    header: 'Attached to',
    part: 'meta',
    cell: ({ state }) =>
      'instance' in state ? (
        <NameOf
          names={instances}
          id={state.instance}
          gone={<EmptyCell />}
          linkOf={(name) => instanceLink(project, name)}
        />
      ) : (
        <EmptyCell />
      ),
  },
  sizeColumn<Disk>(),
  { id: 'state', header: 'State', part: 'state', cell: (disk) => <DiskState disk={disk} /> },
  createdColumn<Disk>(),
]

const poll = pollWhile(isTransitional)

function Disks() {
  const { project } = Route.useParams()
  const instances = useNames(allInstances(project))
  return (
    <ResourceList
      kind="disk"
      title="Disks"
      docs={
        <DocsPopover topic="disks">
          A disk is persistent storage that an instance sees as a drive. It attaches to one instance at a
          time, outlives the instance, and can be copied by a snapshot while in use.
        </DocsPopover>
      }
      list={useListPage(disksIn(project), { poll })}
      columns={useMemo(() => columnsIn(project, instances), [project, instances])}
      actions={useDiskRowActions(project)}
      create={{
        link: { to: '/projects/$project/disks-new', params: { project } },
        label: 'New Disk',
        emptyLabel: 'New disk',
        whyNot: useWhyNotInProject(project),
      }}
      empty={{ title: 'No disks', text: 'Disks store the data of instances. Create one to see it here.' }}
    />
  )
}
