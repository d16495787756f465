import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { createFileRoute } from '@tanstack/react-router'
import { useWhyLacking } from '#/data/fleet.ts'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { listQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import { loadList } from '#/kit/page/loaders.ts'
import { ResourceTab } from '#/kit/list/ResourceList.tsx'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { pageSearch, useListPage } from '#/kit/list/use-list-page.ts'
import type { Column } from '#/ui/data/column.ts'

export const Route = createFileRoute('/_console/system/networking/_rack/_loopback-addresses')({
  validateSearch: pageSearch,
  loader: (visit) => loadList(visit, loopbacks),
  staticData: { crumb: { label: 'Loopback addresses', to: '/system/networking/loopback-addresses' } },
  component: LoopbackAddresses,
})

function LoopbackAddresses() {
  const whyNotAllowed = useWhyNotOnFleet()
  const whyNot = useWhyLacking('switches') ?? whyNotAllowed
  return (
    <ResourceTab
      kind="loopback address"
      label="Loopback addresses"
      about="Addresses of the switches themselves, reachable over any of their links."
      list={useListPage(loopbacks)}
      columns={loopbackColumns}
      actions={useLoopbackActions()}
      create={{
        link: { to: '/system/networking/loopback-addresses-new' },
        whyNot,
      }}
      empty={{ title: 'No loopback addresses', text: 'Create a loopback address to see it here' }}
    />
  )
}

type Loopback = OutputOf<'networkingLoopbackAddressList'>['items'][number]

const loopbacks = listQuery(op.networkingLoopbackAddressList, {})

const loopbackColumns: Column<Loopback>[] = [
  {
    id: 'address',
    header: 'Address',
    cell: ({ address }) => <span className="font-mono text-[0.8125rem] text-strong">{address}</span>,
  },
  { id: 'switch', header: 'Switch', part: 'meta', cell: ({ switchSlot }) => switchSlot },
]

function useLoopbackActions(): ActionsOf<Loopback> {
  const whyNot = useWhyNotOnFleet()
  const remove = useOp(op.networkingLoopbackAddressDelete)
  return ({ rackId, switchSlot, address: network }) => [
    {
      label: 'Delete',
      disabled: whyNot,
      onSelect: () => {
        const [address = '', width = ''] = network.split('/')
        confirmDelete({
          kind: 'loopback address',
          name: network,
          gone: 'The switch no longer answers at it.',
          run: () => remove.run({ path: { rackId, switchSlot, address, subnetMask: Number(width) } }),
        })
      },
    },
  ]
}
