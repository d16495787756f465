import { createFileRoute } from '@tanstack/react-router'
import Blocks from 'lucide-react/icons/blocks'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import { useWhyNotOnFleet } from '#/features/common/fleet-permission.ts'
import { loadList } from '#/features/common/load-list.ts'
import { ResourceList } from '#/features/common/ResourceList.tsx'
import { pageSearch, useListPage } from '#/features/common/use-list-page.ts'
import { addressLots, lotColumns, useLotActions } from '#/features/rack-network/lots.tsx'

export const Route = createFileRoute('/_console/system/networking/_address-lots')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, addressLots),
  staticData: { crumb: { label: 'Address lots', to: '/system/networking/address-lots' } },
  component: AddressLots,
})

function AddressLots() {
  return (
    <ResourceList
      kind="address lot"
      icon={Blocks}
      title="Address lots"
      docs={
        <DocsPopover topic="address lots">
          A lot has the addresses that the rack may use. Ports of switches, their loopback addresses and BGP
          announcements take theirs from a lot.
        </DocsPopover>
      }
      list={useListPage(addressLots)}
      columns={lotColumns}
      actions={useLotActions()}
      create={{
        link: { to: '/system/networking/address-lots-new' },
        label: 'New address lot',
        whyNot: useWhyNotOnFleet(),
      }}
      empty={{ title: 'No address lots', text: 'Create an address lot to see it here' }}
    />
  )
}
