import type { ReactNode } from 'react'
import { Figure, Size } from '../../ui/Figures.tsx'
import { percentOf } from '../../ui/format-amounts.ts'
import { MiniGauge } from '../../ui/Gauge.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { EmptyCell } from '../../ui/Truncate.tsx'
import type { Capacity } from './capacities.ts'

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
  // A quota can be lowered below what is in use already.
  amountColumn('Available', ({ provisioned, quota }) => Math.max(0, quota - provisioned)),
  amountColumn('Quota', ({ quota }) => quota),
]

/** Bytes in whatever unit says most: what is little beside its quota is still told exactly. */
function amountColumn(header: string, amountOf: (row: Capacity) => number): Column<Capacity> {
  const cell = (row: Capacity): ReactNode =>
    row.id === 'cpus' ? <Figure value={amountOf(row)} unit={row.unit} /> : <Size bytes={amountOf(row)} />
  return { id: header, header, align: 'right', cell }
}

const idOf = ({ id }: Capacity): string => id

/** The same as figures, with what is left. */
export function CapacityTable({ label, capacities }: { label: string; capacities: readonly Capacity[] }) {
  return <Table label={label} columns={columns} rows={capacities} rowKey={idOf} />
}
