import { createFileRoute } from '@tanstack/react-router'
import { AllList } from '#/features/all-projects/AllList.tsx'
import { attachedColumn, nameIn, projectColumn } from '#/features/all-projects/columns.tsx'
import { everyDisk } from '#/features/all-projects/queries.ts'
import type { Details } from '#/features/found-list/details.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { findSearch } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { createdColumn, sizeColumn } from '#/kit/list/columns.tsx'
import { pollWhile } from '#/kit/page/poll-while.ts'
import { bulkDisks } from '#/features/disks/bulk.ts'
import { DiskState, isTransitional } from '#/features/disks/DiskState.tsx'
import { diskLink } from '#/features/disks/links.ts'
import type { Disk } from '#/features/disks/queries.ts'
import { instanceLink } from '#/features/instances/links.ts'

export const Route = createFileRoute('/_console/_silo/_all/all/disks')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, everyDisk(findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Disks', to: '/all/disks' } },
  component: All,
})

const columnsWith = (details: Details): Column<Disk>[] => [
  nameIn(details, ({ name }, project) => (project === undefined ? undefined : diskLink(project, name))),
  projectColumn(details, (project) => ({ to: '/projects/$project/disks', params: { project } })),
  attachedColumn(details, instanceLink),
  sizeColumn<Disk>(),
  { id: 'state', header: 'State', part: 'state', cell: (disk) => <DiskState disk={disk} /> },
  createdColumn<Disk>(),
]

const poll = pollWhile(isTransitional)
const bulk = bulkDisks(undefined)

function All() {
  return (
    <AllList
      label="Disks"
      kind="disk"
      pluralNoun="disks"
      list={everyDisk(Route.useSearch())}
      columnsWith={columnsWith}
      poll={poll}
      bulk={bulk}
    />
  )
}
