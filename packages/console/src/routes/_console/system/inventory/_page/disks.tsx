import { createFileRoute } from '@tanstack/react-router'
import { loadList } from '#/features/common/loaders.ts'
import { ResourceTable } from '#/features/common/ResourceTable.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { diskColumns } from '#/features/inventory/hardware-columns.tsx'
import { physicalDisks } from '#/features/inventory/queries.ts'
import { EmptyState } from '#/ui/EmptyState.tsx'

export const Route = createFileRoute('/_console/system/inventory/_page/disks')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, physicalDisks),
  staticData: { crumb: { label: 'Disks', to: '/system/inventory/disks' } },
  component: Disks,
})

function Disks() {
  return (
    <ResourceTable
      label="Disks"
      list={useListPage(physicalDisks)}
      columns={diskColumns}
      empty={<EmptyState title="No disks found" />}
    />
  )
}
