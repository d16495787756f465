import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { useWhyNotOnFleet } from '#/data/permissions.ts'
import { listQuery, opQuery } from '#/data/queries.ts'
import { useOp } from '#/data/use-op.ts'
import { createdColumn, nameColumn } from '#/kit/list/columns.tsx'
import { confirmDelete } from '#/kit/feedback/confirm.tsx'
import type { LinkTarget } from '#/kit/links/link-target.ts'
import type { ActionsOf } from '#/kit/list/row-menu.tsx'
import { type Deletion, reportDeletion } from '#/kit/page/use-viewed.ts'
import type { Column } from '#/ui/data/column.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

type Lot = OutputOf<'networkingAddressLotList'>['items'][number]

export const addressLots = listQuery(op.networkingAddressLotList, {})

/** The purpose of each kind of lot. */
export const lotKinds = [
  { value: 'infra', label: 'Switches: ports and loopback addresses' },
  { value: 'pool', label: 'IP pools' },
] as const

export const kindWord = (kind: Lot['kind']): string => (kind === 'infra' ? 'Switches' : 'IP pools')

export const lotColumns: Column<Lot>[] = [
  nameColumn<Lot>(({ name }) => lotLink(name)),
  {
    id: 'kind',
    header: 'For',
    part: 'meta',
    cell: ({ kind }) => kindWord(kind),
  },
  {
    id: 'description',
    header: 'Description',
    part: 'line',
    cell: ({ description }) => description || <EmptyCell />,
  },
  createdColumn<Lot>(),
]

/** The menu of a row, and of the lot's own page, which leaves after the deletion in `onDelete`. */
export function useLotActions(onDelete?: (is: Deletion) => void): ActionsOf<Pick<Lot, 'name'>> {
  const whyNot = useWhyNotOnFleet()
  const remove = useOp(op.networkingAddressLotDelete)
  return ({ name }) => [
    {
      label: 'Delete',
      disabled: whyNot,
      onSelect: () =>
        confirmDelete({
          kind: 'address lot',
          name,
          gone: 'Its blocks are gone for good. A lot with addresses in use cannot be deleted.',
          run: () => reportDeletion(() => remove.run({ path: { addressLot: name } }), onDelete),
        }),
    },
  ]
}

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
