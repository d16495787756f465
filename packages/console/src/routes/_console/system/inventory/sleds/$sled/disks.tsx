import { createFileRoute } from '@tanstack/react-router'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { diskColumns } from '#/features/inventory/hardware-columns.tsx'
import { sledDisks } from '#/features/inventory/queries.ts'
import { loadSled, SledPage } from '#/features/inventory/SledPage.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

export const Route = createFileRoute('/_console/system/inventory/sleds/$sled/disks')({
  validateSearch: pageSearch,
  loader: async ({ params: { sled }, ...visit }) => {
    await Promise.all([loadSled(visit.context, sled), loadList(visit, sledDisks(sled))])
  },
  staticData: {
    crumb: [
      { label: 'Inventory', to: '/system/inventory' },
      { label: 'Sleds', to: '/system/inventory/sleds' },
      { param: 'sled', to: '/system/inventory/sleds/$sled/instances', isId: true },
      { label: 'Disks', to: '/system/inventory/sleds/$sled/disks' },
    ],
  },
  component: SledDisks,
})

function SledDisks() {
  const { sled } = Route.useParams()
  return (
    <SledPage sled={sled}>
      <ResourceTable
        label="Disks"
        list={useListPage(sledDisks(sled))}
        columns={diskColumns}
        empty={<EmptyState title="No disks found">Disks of this sled will show up here</EmptyState>}
      />
    </SledPage>
  )
}
