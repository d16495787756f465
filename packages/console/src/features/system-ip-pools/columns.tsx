import { createdColumn, descriptionColumn, nameColumn } from '#/features/common/columns.tsx'
import type { Column } from '#/ui/column.ts'
import { formatNumber } from '#/ui/format.ts'
import { poolLink } from './links.ts'
import { PoolUse } from './PoolUse.tsx'
import type { PoolRange, PoolWithUse } from './queries.ts'

export const poolColumns: Column<PoolWithUse>[] = [
  nameColumn<PoolWithUse>(({ name }) => poolLink(name)),
  descriptionColumn<PoolWithUse>(),
  {
    id: 'silos',
    header: 'Silos',
    align: 'right',
    isLabelled: true,
    cell: ({ silos }) => <span className="tabular-nums">{formatNumber(silos)}</span>,
  },
  { id: 'use', header: 'Utilization', part: 'line', cell: ({ utilization }) => <PoolUse {...utilization} /> },
  createdColumn<PoolWithUse>(),
]

const address = (text: string) => <span className="font-mono text-[0.8125rem] wrap-anywhere">{text}</span>

export const rangeColumns: Column<PoolRange>[] = [
  { id: 'first', header: 'First', cell: ({ range }) => address(range.first) },
  { id: 'last', header: 'Last', isLabelled: true, cell: ({ range }) => address(range.last) },
  createdColumn<PoolRange>(),
]
