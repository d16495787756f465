// @chunk fleet-instances: of operators, whose operations the pages of projects would load otherwise.
import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useCurrentUser } from '#/data/current-user.ts'
import { type ItemOf, listQuery } from '#/data/queries.ts'
import { createdColumn } from '#/kit/list/columns.tsx'
import { findQuery } from '#/kit/list/find.ts'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { type FindSearch, findSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { useFound } from '#/features/found-list/use-found.tsx'
import { instanceLinkIn } from '#/features/instances/links.ts'
import { InstancePlate } from '#/features/instances/parts.tsx'
import { sledLink } from '#/features/inventory/links.ts'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Figure, Memory } from '#/ui/data/Figures.tsx'
import { formatNumber, plural } from '#/ui/data/format.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

type FleetInstance = ItemOf<'systemInstanceList'>

const fleetInstances = (search: FindSearch) =>
  listQuery(op.systemInstanceList, { path: {}, query: findQuery(search) })

export const Route = createFileRoute('/_console/system/instances')({
  validateSearch: findSearch,
  loader: (visit) => loadList(visit, fleetInstances(findSearch(visit.location.search))),
  staticData: { crumb: { label: 'Instances', to: '/system/instances' } },
  component: FleetInstances,
})

/** Only instances of the user's own silo have a page here. */
function Name({ instance }: { instance: FleetInstance }) {
  const { siloName } = useCurrentUser()
  const link = instanceLinkIn(siloName, instance)
  if (!link) return <span className="font-medium text-strong">{instance.name}</span>
  return (
    <PageLink {...link} className="name">
      {instance.name}
    </PageLink>
  )
}

const fleetColumns: Column<FleetInstance>[] = [
  { id: 'name', header: 'Name', part: 'name', cell: (instance) => <Name instance={instance} /> },
  { id: 'silo', header: 'Silo', part: 'meta', cell: ({ siloName }) => siloName },
  { id: 'project', header: 'Project', part: 'meta', cell: ({ projectName }) => projectName },
  { id: 'state', header: 'State', part: 'state', cell: ({ state }) => <InstancePlate state={state} /> },
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
    width: '11%',
    cell: ({ memory }) => <Memory bytes={memory} />,
  },
  {
    id: 'sled',
    header: 'Sled',
    part: 'meta',
    cell: ({ sled }) =>
      sled ? (
        <PageLink {...sledLink(sled.id)} className="link">
          {sled.serial}
        </PageLink>
      ) : (
        <EmptyCell />
      ),
  },
  { ...createdColumn<FleetInstance>(), width: '11rem' },
]

const everywhere = {}

function FleetInstances() {
  const query = fleetInstances(Route.useSearch())
  const list = useListPage(query)
  const { columns, find } = useFound({
    kind: 'fleet-instance',
    pluralNoun: 'instances',
    place: everywhere,
    list: query,
    rows: list.rows,
    columns: fleetColumns,
  })
  return (
    <ListPage
      title="Instances"
      docs={
        <DocsPopover topic="instances" page="compute">
          The instances of all silos: where they are, how large, and in which state. Filter them by silo:forge
          or sled:BRM*, for example. What they contain is for their projects to see.
        </DocsPopover>
      }
    >
      {(find.isFiltered || (list.rows && list.rows.length > 0)) && find.bar}
      <ResourceTable
        label="Instances"
        steady
        list={list}
        columns={columns}
        empty={
          find.isFiltered ? (
            <NothingMatches>{find.hiding}</NothingMatches>
          ) : (
            <EmptyState title="No instances">The instances of all silos show here.</EmptyState>
          )
        }
      />
    </ListPage>
  )
}
