import { createFileRoute } from '@tanstack/react-router'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { switchColumns } from '#/features/inventory/hardware-columns.tsx'
import { switches } from '#/features/inventory/queries.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'

export const Route = createFileRoute('/_console/system/inventory/_page/switches')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, switches),
  staticData: { crumb: { label: 'Switches', to: '/system/inventory/switches' } },
  component: Switches,
})

function Switches() {
  return (
    <ResourceTable
      label="Switches"
      list={useListPage(switches)}
      columns={switchColumns}
      empty={<EmptyState title="No switches found" />}
    />
  )
}
