import { createFileRoute } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useWhyNotInProject } from '#/data/permissions.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { bulkInstanceSnapshots } from '#/features/instances/snapshots/bulk.ts'
import { instanceSnapshotLink } from '#/features/instances/snapshots/links.ts'
import {
  holdsColumn,
  InstanceSnapshotDocs,
  stateColumn,
  useInstanceSnapshotActions,
} from '#/features/instances/snapshots/parts.tsx'
import { foundInstanceSnapshots, type InstanceSnapshot } from '#/features/instances/snapshots/queries.ts'
import { SnapshotTabs } from '#/features/snapshots/SnapshotTabs.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import { createdColumn, descriptionColumn, nameColumn, sizeColumn } from '#/kit/list/columns.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { pollWhile } from '#/kit/page/poll-while.ts'
import type { Column } from '#/ui/data/column.ts'
import { Truncate } from '#/ui/data/Truncate.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

export const Route = createFileRoute('/_console/projects/$project/instance-snapshots/')({
  validateSearch: findSearch,
  loader: ({ params: { project }, ...visit }) =>
    loadList(visit, foundInstanceSnapshots(project, findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Instance snapshots', to: '/projects/$project/instance-snapshots' } },
  component: InstanceSnapshots,
})

const columnsIn = (project: string): Column<InstanceSnapshot>[] => [
  taggedName(
    'instance-snapshot',
    nameColumn<InstanceSnapshot>(({ name }) => instanceSnapshotLink(project, name)),
    project,
  ),
  { ...descriptionColumn(), isOptional: true },
  {
    id: 'instance',
    header: 'Instance',
    part: 'meta',
    cell: ({ instanceName }) => <Truncate text={instanceName} max={24} />,
  },
  stateColumn,
  holdsColumn,
  sizeColumn(),
  createdColumn(),
]

const poll = pollWhile<InstanceSnapshot>(({ state }) => state === 'creating')

function InstanceSnapshots() {
  const { project } = Route.useParams()
  const whyNotAllowed = useWhyNotInProject(project)
  const query = foundInstanceSnapshots(project, Route.useSearch())
  const list = useListPage(query, { poll })
  const { actions, dialog } = useInstanceSnapshotActions(project)
  const { columns, find } = useFound({
    kind: 'instance-snapshot',
    pluralNoun: 'instance snapshots',
    place: { project },
    list: query,
    rows: list.rows,
    columns: useMemo(() => columnsIn(project), [project]),
    bulk: bulkInstanceSnapshots(whyNotAllowed),
  })
  return (
    <ListPage title="Snapshots" docs={<InstanceSnapshotDocs />}>
      <SnapshotTabs project={project}>
        {(find.isFiltered || (list.rows && list.rows.length > 0)) && find.bar}
        <ResourceTable
          label="Instance snapshots"
          steady
          list={list}
          columns={columns}
          actions={actions}
          empty={
            find.isFiltered ? (
              <NothingMatches>{find.hiding}</NothingMatches>
            ) : (
              <EmptyState title="No instance snapshots">
                An instance snapshot holds all disks of an instance at one point in time. Take one on the page
                of an instance, or by a schedule, to see it here.
              </EmptyState>
            )
          }
        />
      </SnapshotTabs>
      {dialog}
    </ListPage>
  )
}
