import { createFileRoute } from '@tanstack/react-router'
import Blocks from 'lucide-react/icons/blocks'
import { useWhyNotInFleet } from '#/data/permissions.ts'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceTab } from '#/kit/list/ResourceList.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import { addressLots, lotColumns, lotLink, useLotActions } from '#/features/rack-network/lots.tsx'

export const Route = createFileRoute('/_console/system/networking/_rack/_address-lots')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, addressLots),
  staticData: { crumb: { label: 'Address lots', to: '/system/networking/address-lots' } },
  component: AddressLots,
})

function AddressLots() {
  return (
    <ResourceTab
      kind="address lot"
      icon={Blocks}
      label="Address lots"
      about="The addresses that the rack may use for ports, loopback addresses and BGP announcements."
      list={useListPage(addressLots)}
      columns={lotColumns}
      actions={useLotActions()}
      rowEntry={({ name }) => ({ label: name, link: lotLink(name) })}
      create={{
        link: { to: '/system/networking/address-lots-new' },
        whyNot: useWhyNotInFleet(),
      }}
      empty={{ title: 'No address lots', text: 'Create an address lot to see it here' }}
    />
  )
}
