import { createFileRoute } from '@tanstack/react-router'
import { AllList } from '#/features/all-projects/AllList.tsx'
import { nameIn, projectColumn } from '#/features/all-projects/columns.tsx'
import { everySnapshot } from '#/features/all-projects/queries.ts'
import { type Details, DetailValue } from '#/features/found-list/details.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { findSearch } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { createdColumn, sizeColumn } from '#/kit/list/columns.tsx'
import { pollWhile } from '#/kit/page/poll-while.ts'
import { bulkSnapshots } from '#/features/snapshots/bulk.ts'
import { snapshotLink } from '#/features/snapshots/links.ts'
import type { Snapshot } from '#/features/snapshots/queries.ts'
import { SnapshotState } from '#/features/snapshots/parts.tsx'
import { Tag } from '#/ui/data/Tag.tsx'

export const Route = createFileRoute('/_console/_silo/_all/all/snapshots')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, everySnapshot(findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Snapshots', to: '/all/snapshots' } },
  component: All,
})

const columnsWith = (details: Details): Column<Snapshot>[] => [
  nameIn(details, ({ name }, project) => (project === undefined ? undefined : snapshotLink(project, name))),
  projectColumn(details, (project) => ({ to: '/projects/$project/snapshots', params: { project } })),
  {
    id: 'disk',
    header: 'Disk',
    part: 'meta',
    cell: ({ id }) => (
      <DetailValue of={details} id={id} render={({ disk }) => disk?.name ?? <Tag>Deleted</Tag>} />
    ),
  },
  { id: 'state', header: 'State', part: 'state', cell: (snapshot) => <SnapshotState snapshot={snapshot} /> },
  sizeColumn<Snapshot>(),
  createdColumn<Snapshot>(),
]

const poll = pollWhile<Snapshot>(({ state }) => state === 'creating')
const bulk = bulkSnapshots(undefined)

function All() {
  return (
    <AllList
      label="Snapshots"
      kind="snapshot"
      pluralNoun="snapshots"
      list={everySnapshot(Route.useSearch())}
      columnsWith={columnsWith}
      poll={poll}
      bulk={bulk}
    />
  )
}
