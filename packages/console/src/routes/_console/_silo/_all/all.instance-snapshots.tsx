import { createFileRoute } from '@tanstack/react-router'
import { AllList } from '#/features/all-projects/AllList.tsx'
import { nameIn, projectColumn } from '#/features/all-projects/columns.tsx'
import { everyInstanceSnapshot } from '#/features/all-projects/queries.ts'
import type { Details } from '#/features/found-list/details.tsx'
import { bulkInstanceSnapshots } from '#/features/instances/snapshots/bulk.ts'
import { instanceSnapshotLink, instanceSnapshotsLink } from '#/features/instances/snapshots/links.ts'
import { InstanceSnapshotState } from '#/features/instances/snapshots/InstanceSnapshotState.tsx'
import type { InstanceSnapshot } from '#/features/instances/snapshots/queries.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { findSearch } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { Truncate } from '#/ui/data/Truncate.tsx'
import { createdColumn, sizeColumn } from '#/kit/list/columns.tsx'
import { pollWhile } from '#/kit/page/poll-while.ts'

export const Route = createFileRoute('/_console/_silo/_all/all/instance-snapshots')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, everyInstanceSnapshot(findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Instance snapshots', to: '/all/instance-snapshots' } },
  component: All,
})

const columnsWith = (details: Details): Column<InstanceSnapshot>[] => [
  nameIn(details, ({ name }, project) =>
    project === undefined ? undefined : instanceSnapshotLink(project, name),
  ),
  projectColumn(details, instanceSnapshotsLink),
  {
    id: 'instance',
    header: 'Instance',
    part: 'meta',
    cell: ({ instanceName }) => <Truncate text={instanceName} max={24} />,
  },
  {
    id: 'state',
    header: 'State',
    part: 'state',
    cell: (snapshot) => <InstanceSnapshotState {...snapshot} />,
  },
  sizeColumn<InstanceSnapshot>(),
  createdColumn<InstanceSnapshot>(),
]

const poll = pollWhile<InstanceSnapshot>(({ state }) => state === 'creating')
const bulk = bulkInstanceSnapshots(undefined)

function All() {
  return (
    <AllList
      label="Instance snapshots"
      kind="instance-snapshot"
      pluralNoun="instance snapshots"
      list={everyInstanceSnapshot(Route.useSearch())}
      columnsWith={columnsWith}
      poll={poll}
      bulk={bulk}
    />
  )
}
