import type { ReactNode } from 'react'
import { Figure } from '#/ui/Figures.tsx'
import { percentOf } from '#/ui/format-amounts.ts'
import { MiniGauge } from '#/ui/Gauge.tsx'
import { Table } from '#/ui/Table.tsx'
import type { Column } from '#/ui/column.ts'
import { EmptyCell } from '#/ui/Truncate.tsx'
import { availableIn, type Capacity } from './capacities.ts'

const columns: Column<Capacity>[] = [
  {
    id: 'resource',
    header: 'Resource',
    cell: ({ label }) => <span className="font-medium text-strong">{label}</span>,
  },
  {
    id: 'share',
    header: 'In use',
    part: 'state',
    cell: ({ label, provisioned, quota }) => {
      const percent = percentOf(provisioned, quota)
      return percent === undefined ? <EmptyCell /> : <MiniGauge label={`${label} in use`} used={percent} />
    },
  },
  amountColumn('Provisioned', ({ provisioned }) => provisioned),
  amountColumn('Available', availableIn),
  amountColumn('Quota', ({ quota }) => quota),
]

/** Uses the unit of the cards, so that both show the same figure. */
function amountColumn(header: string, amountOf: (row: Capacity) => number): Column<Capacity> {
  const cell = (row: Capacity): ReactNode => (
    // A card has no column heads, so the label precedes the amount.
    <span data-label={header} className="max-md:before:mr-1 max-md:before:content-[attr(data-label)]">
      <Figure value={row.inUnit(amountOf(row))} unit={row.unit} />
    </span>
  )
  return { id: header, header, align: 'right', cell }
}

const idOf = ({ id }: Capacity): string => id

/** The same as figures, with the remaining amount. */
export function CapacityTable({ label, capacities }: { label: string; capacities: readonly Capacity[] }) {
  return <Table label={label} columns={columns} rows={capacities} rowKey={idOf} />
}
