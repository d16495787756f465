import { createFileRoute } from '@tanstack/react-router'
import { useWhyNotOnFleet } from '#/features/common/fleet-permission.ts'
import { loadList } from '#/features/common/load-list.ts'
import { ResourceTab } from '#/features/common/ResourceTab.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { loopbackColumns, loopbacks, useLoopbackActions } from '#/features/rack-network/loopbacks.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack/_loopback-addresses')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, loopbacks),
  staticData: { crumb: { label: 'Loopback addresses', to: '/system/networking/loopback-addresses' } },
  component: LoopbackAddresses,
})

function LoopbackAddresses() {
  return (
    <ResourceTab
      kind="loopback address"
      label="Loopback addresses"
      about="Addresses of the switches themselves, whichever of their links are up."
      list={useListPage(loopbacks)}
      columns={loopbackColumns}
      actions={useLoopbackActions()}
      create={{
        link: { to: '/system/networking/loopback-addresses-new' },
        label: 'New loopback address',
        whyNot: useWhyNotOnFleet(),
      }}
      empty={{ title: 'No loopback addresses', text: 'Create a loopback address to see it here' }}
    />
  )
}
