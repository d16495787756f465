import { createFileRoute, Outlet } from '@tanstack/react-router'
import Camera from 'lucide-react/icons/camera'
import { useMemo } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { createdColumn, descriptionColumn, nameColumn, sizeColumn } from '#/kit/list/columns.tsx'
import { NameOf, type Names, useNames } from '#/kit/page/deferred.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { pollWhile } from '#/kit/page/poll-while.ts'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { CreateLink, KindTable } from '#/kit/list/ResourceList.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { diskLink } from '#/features/disks/links.ts'
import { allDisks } from '#/features/disks/queries.ts'
import { snapshotLink } from '#/features/snapshots/links.ts'
import { SnapshotTabs } from '#/features/snapshots/SnapshotTabs.tsx'
import { SnapshotDocs, SnapshotState, useSnapshotRowActions } from '#/features/snapshots/parts.tsx'
import { type Snapshot, foundSnapshots } from '#/features/snapshots/queries.ts'
import { bulkSnapshots } from '#/features/snapshots/bulk.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Tag } from '#/ui/data/Tag.tsx'

export const Route = createFileRoute('/_console/projects/$project/_snapshots')({
  validateSearch: findSearch,
  loader: ({ params: { project }, ...visit }) =>
    loadList(visit, foundSnapshots(project, findSearch(visit.location.search)), allDisks(project)),
  staticData: { crumb: { label: 'Snapshots', to: '/projects/$project/snapshots' } },
  component: Snapshots,
})

const columnsWith = (project: string, disks: Names): Column<Snapshot>[] => [
  taggedName(
    'snapshot',
    nameColumn<Snapshot>(({ name }) => snapshotLink(project, name)),
    project,
  ),
  descriptionColumn<Snapshot>(),
  {
    id: 'disk',
    header: 'Disk',
    part: 'meta',
    cell: ({ diskId }) => (
      <NameOf
        names={disks}
        id={diskId}
        gone={<Tag>Deleted</Tag>}
        linkOf={(name) => diskLink(project, name)}
      />
    ),
  },
  { id: 'state', header: 'State', part: 'state', cell: (snapshot) => <SnapshotState snapshot={snapshot} /> },
  sizeColumn<Snapshot>(),
  createdColumn<Snapshot>(),
]

const poll = pollWhile<Snapshot>(({ state }) => state === 'creating')

function Snapshots() {
  const { project } = Route.useParams()
  const disks = useNames(allDisks(project))
  const whyNotAllowed = useWhyNotInProject(project)
  const query = foundSnapshots(project, Route.useSearch())
  const list = useListPage(query, { poll })
  const { columns, find } = useFound({
    kind: 'snapshot',
    pluralNoun: 'snapshots',
    place: { project },
    list: query,
    rows: list.rows,
    columns: useMemo(() => columnsWith(project, disks), [project, disks]),
    bulk: bulkSnapshots(whyNotAllowed),
  })
  const create = {
    link: { to: '/projects/$project/snapshots-new', params: { project } },
    whyNot: whyNotAllowed,
  } as const
  return (
    <ListPage
      title="Snapshots"
      docs={<SnapshotDocs />}
      actions={<CreateLink kind="snapshot" create={create} />}
    >
      <SnapshotTabs project={project}>
        <KindTable
          kind="snapshot"
          label="Snapshots"
          list={list}
          columns={columns}
          find={find}
          actions={useSnapshotRowActions(project)}
          rowEntry={({ name }) => ({ label: name, link: snapshotLink(project, name) })}
          icon={Camera}
          create={create}
          empty={{
            title: 'No snapshots',
            text: 'A snapshot is a point-in-time copy of a disk. Create one to see it here.',
          }}
        />
      </SnapshotTabs>
      {/* Forms open over the list. */}
      <Outlet />
    </ListPage>
  )
}
