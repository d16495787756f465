import { Card } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Figure } from '#/ui/data/Figures.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { SystemCapacity } from '../queries.ts'
import { type EstimateRow, estimateRows } from './estimate.ts'

const columns: Column<EstimateRow>[] = [
  {
    id: 'resource',
    header: 'Resource',
    cell: ({ label }) => <span className="font-medium text-strong">{label}</span>,
  },
  {
    id: 'formula',
    header: 'Formula',
    part: 'meta',
    cell: ({ formula }) => <span className="text-muted tabular-nums">{formula}</span>,
  },
  amount('estimate', 'Estimate', ({ estimate, unit }) => <Figure value={estimate} unit={unit} />),
  amount('quotas', 'Quota (Total)', ({ quotas, unit }) => <Figure value={quotas} unit={unit} />),
  amount('provisioned', 'Provisioned', ({ provisioned, unit }) => <Figure value={provisioned} unit={unit} />),
  amount('physical', 'Reserved / physical', ({ physical, unit }) =>
    physical ? (
      <Figure value={<Pair part={physical.reserved} whole={physical.total} />} unit={unit} />
    ) : (
      <EmptyCell />
    ),
  ),
]

function amount(id: string, header: string, cell: Column<EstimateRow>['cell']): Column<EstimateRow> {
  return { id, header, align: 'right', isLabelled: true, cell }
}

function Pair({ part, whole }: { part: number; whole: number }) {
  return (
    <>
      <Figure value={part} />
      <span className="text-muted"> / </span>
      <Figure value={whole} />
    </>
  )
}

const idOf = ({ id }: EstimateRow): string => id

/** The rack's capacity for instances by the formula, and the amount in use. */
export function CapacityEstimate({ capacity }: { capacity: SystemCapacity }) {
  return (
    <Card
      title="Capacity estimate"
      description="The capacity of the sleds in service for instances. The rest is reserved for the rack itself."
      flush
    >
      <Table inset label="Capacity estimate" columns={columns} rows={estimateRows(capacity)} rowKey={idOf} />
    </Card>
  )
}
