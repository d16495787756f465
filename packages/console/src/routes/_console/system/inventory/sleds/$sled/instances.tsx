import { createFileRoute } from '@tanstack/react-router'
import { createdColumn } from '#/kit/list/columns.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { InstancePlate } from '#/features/instances/parts.tsx'
import { sledInstances, type SledInstance } from '#/features/inventory/queries.ts'
import { InstanceName } from '#/features/inventory/rack/RackLights.tsx'
import { loadSled, SledPage } from '#/features/inventory/SledPage.tsx'
import type { Column } from '#/ui/data/column.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { Figure, Memory } from '#/ui/data/Figures.tsx'
import { formatNumber, plural } from '#/ui/data/format.ts'

const sledInstanceColumns: Column<SledInstance>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (instance) => (
      <InstanceName instance={instance}>
        <span className="block text-sm text-muted">
          {instance.siloName} / {instance.projectName}
        </span>
      </InstanceName>
    ),
  },
  { id: 'state', header: 'State', part: 'state', cell: ({ state }) => <InstancePlate state={state} /> },
  {
    id: 'specs',
    header: 'Specs',
    cell: ({ ncpus, memory }) => (
      <>
        <span className="block">
          <Figure value={formatNumber(ncpus)} unit={plural('vCPU', ncpus)} />
        </span>
        <span className="block">
          <Memory bytes={memory} />
        </span>
      </>
    ),
  },
  createdColumn<SledInstance>(),
]

export const Route = createFileRoute('/_console/system/inventory/sleds/$sled/instances')({
  validateSearch: pageSearch,
  loader: async ({ params: { sled }, ...visit }) => {
    await Promise.all([loadSled(visit.context, sled), loadList(visit, sledInstances(sled))])
  },
  staticData: {
    crumb: [
      { label: 'Inventory', to: '/system/inventory' },
      { label: 'Sleds', to: '/system/inventory/sleds' },
      { param: 'sled', to: '/system/inventory/sleds/$sled/instances', isId: true },
      { label: 'Instances', to: '/system/inventory/sleds/$sled/instances' },
    ],
  },
  component: SledInstances,
})

function SledInstances() {
  const { sled } = Route.useParams()
  return (
    <SledPage sled={sled}>
      <ResourceTable
        tall
        label="Instances"
        list={useListPage(sledInstances(sled))}
        columns={sledInstanceColumns}
        empty={<EmptyState title="No instances found">Instances on this sled will show up here</EmptyState>}
      />
    </SledPage>
  )
}
