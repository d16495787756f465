import { createFileRoute } from '@tanstack/react-router'
import HardDrive from 'lucide-react/icons/hard-drive'
import { useMemo } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { createdColumn, nameColumn, sizeColumn } from '#/kit/list/columns.tsx'
import { NameOf, type Names, useNames } from '#/kit/page/deferred.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { pollWhile } from '#/kit/page/poll-while.ts'
import { ResourceList } from '#/kit/list/ResourceList.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { DiskState, isTransitional } from '#/features/disks/DiskState.tsx'
import { diskLink } from '#/features/disks/links.ts'
import { type Disk, foundDisks } from '#/features/disks/queries.ts'
import { DiskDocs, useDiskRowActions } from '#/features/disks/use-disk-row-actions.tsx'
import { bulkDisks } from '#/features/disks/bulk.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { allInstances } from '#/features/instances/queries.ts'
import { PastLink } from '#/features/past/PastLink.tsx'
import { protectedName } from '#/features/protection/protected-name.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import type { Column } from '#/ui/data/column.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/projects/$project/_disks')({
  validateSearch: findSearch,
  loader: ({ params: { project }, ...visit }) =>
    loadList(visit, foundDisks(project, findSearch(visit.location.search)), allInstances(project)),
  staticData: { crumb: { label: 'Disks', to: '/projects/$project/disks' } },
  component: Disks,
})

const columnsIn = (project: string, instances: Names): Column<Disk>[] => [
  taggedName(
    'disk',
    protectedName(
      nameColumn<Disk>(({ name }) => diskLink(project, name)),
      project,
    ),
    project,
  ),
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
  const { actions, dialog } = useDiskRowActions(project)
  const whyNotAllowed = useWhyNotInProject(project)
  const query = foundDisks(project, Route.useSearch())
  const list = useListPage(query, { poll })
  const { columns, find } = useFound({
    kind: 'disk',
    pluralNoun: 'disks',
    place: { project },
    list: query,
    rows: list.rows,
    columns: useMemo(() => columnsIn(project, instances), [project, instances]),
    bulk: bulkDisks(whyNotAllowed),
  })
  return (
    <ResourceList
      kind="disk"
      title="Disks"
      tools={<PastLink project={project} kind="disk" />}
      docs={<DiskDocs />}
      list={list}
      columns={columns}
      find={find}
      actions={actions}
      rowEntry={({ name }) => ({ label: name, link: diskLink(project, name) })}
      icon={HardDrive}
      create={{
        link: { to: '/projects/$project/disks-new', params: { project } },
        whyNot: whyNotAllowed,
      }}
      empty={{ title: 'No disks', text: 'Disks store the data of instances. Create one to see it here.' }}
    >
      {dialog}
    </ResourceList>
  )
}
