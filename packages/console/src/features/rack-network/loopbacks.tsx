import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { confirmDelete } from '#/features/common/confirm.tsx'
import { useWhyNotOnFleet } from '#/features/common/fleet-permission.ts'
import type { ActionsOf } from '#/features/common/row-menu.tsx'
import type { Column } from '#/ui/column.ts'

type Loopback = OutputOf<'networkingLoopbackAddressList'>['items'][number]

export const loopbacks = listQuery(op.networkingLoopbackAddressList, {})

export const loopbackColumns: Column<Loopback>[] = [
  {
    id: 'address',
    header: 'Address',
    cell: ({ address }) => <span className="font-mono text-[0.8125rem] text-strong">{address}</span>,
  },
  { id: 'switch', header: 'Switch', part: 'meta', cell: ({ switchLocation }) => switchLocation },
]

export function useLoopbackActions(): ActionsOf<Loopback> {
  const whyNot = useWhyNotOnFleet()
  const remove = useOp(op.networkingLoopbackAddressDelete)
  return ({ rackId, switchLocation, address: network }) => [
    {
      label: 'Delete',
      disabled: whyNot,
      onSelect: () => {
        const [address = '', width = ''] = network.split('/')
        confirmDelete({
          kind: 'loopback address',
          name: network,
          run: () => remove.run({ path: { rackId, switchLocation, address, subnetMask: Number(width) } }),
        })
      },
    },
  ]
}
