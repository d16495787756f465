import { createFileRoute } from '@tanstack/react-router'
import { AllList } from '#/features/all-projects/AllList.tsx'
import { nameIn, projectColumn } from '#/features/all-projects/columns.tsx'
import { everyInstance } from '#/features/all-projects/queries.ts'
import type { Details } from '#/features/found-list/details.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { findSearch } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'
import { createdColumn } from '#/kit/list/columns.tsx'
import { instanceLink } from '#/features/instances/links.ts'
import { InstanceState } from '#/features/instances/parts.tsx'
import { listPolling } from '#/features/instances/polling.ts'
import type { Instance } from '#/features/instances/queries.ts'
import { Figure, Memory } from '#/ui/data/Figures.tsx'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { afterPaint, lazyPart } from '#/ui/lazy-part.tsx'

export const Route = createFileRoute('/_console/_silo/_all/all/instances')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, everyInstance(findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Instances', to: '/all/instances' } },
  component: All,
})

const columnsWith = (details: Details): Column<Instance>[] => [
  nameIn(details, ({ name }, project) => (project === undefined ? undefined : instanceLink(project, name))),
  projectColumn(details, (project) => ({ to: '/projects/$project/instances', params: { project } })),
  {
    id: 'cpu',
    header: 'CPU',
    align: 'right',
    width: '10%',
    cell: ({ ncpus }) => <Figure value={formatNumber(ncpus)} unit={plural('vCPU', ncpus)} />,
  },
  {
    id: 'memory',
    header: 'Memory',
    align: 'right',
    width: '12%',
    cell: ({ memory }) => <Memory bytes={memory} />,
  },
  {
    id: 'state',
    header: 'State',
    part: 'state',
    width: '22%',
    cell: (instance) => <InstanceState instance={instance} />,
  },
  { ...createdColumn<Instance>(), width: '11rem' },
]

const poll = listPolling()

const BulkBar = lazyPart(() => import('#/features/instances/bulk/BulkBar.tsx'), 'BulkBar')
const BulkRuns = lazyPart(
  afterPaint(() => import('#/features/instances/bulk/BulkRuns.tsx')),
  'BulkRuns',
)

function All() {
  const list = everyInstance(Route.useSearch())
  return (
    <>
      <AllList
        label="Instances"
        kind="instance"
        pluralNoun="instances"
        list={list}
        columnsWith={columnsWith}
        poll={poll}
        renderBar={(selected) => <BulkBar {...selected} project={undefined} list={list} />}
      />
      <BulkRuns />
    </>
  )
}
