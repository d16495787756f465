import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import type { LinkTarget } from '#/features/common/link-target.ts'
import { listQuery, opQuery } from '#/data/queries.ts'
import type { Column } from '#/ui/column.ts'

type Block = OutputOf<'networkingAddressLotBlockList'>['items'][number]

export const lotLink = (lot: string) =>
  ({ to: '/system/networking/address-lots/$lot', params: { lot } }) satisfies LinkTarget

export const lotView = (addressLot: string) => opQuery(op.networkingAddressLotView, { path: { addressLot } })
export const lotBlocks = (addressLot: string) =>
  listQuery(op.networkingAddressLotBlockList, { path: { addressLot }, query: {} })

const mono = 'font-mono text-[0.8125rem] text-strong'

export const blockColumns: Column<Block>[] = [
  {
    id: 'first',
    header: 'First address',
    cell: ({ firstAddress }) => <span className={mono}>{firstAddress}</span>,
  },
  {
    id: 'last',
    header: 'Last address',
    isLabelled: true,
    cell: ({ lastAddress }) => <span className={mono}>{lastAddress}</span>,
  },
]
