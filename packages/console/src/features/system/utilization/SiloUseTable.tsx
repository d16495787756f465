import { type ReactNode, useMemo } from 'react'
import { rowMenu } from '#/kit/list/row-menu.tsx'
import { SiloName } from '../ObjectName.tsx'
import type { SiloUse } from '../queries.ts'
import type { Column } from '#/ui/data/column.ts'
import { Figure } from '#/ui/data/Figures.tsx'
import { percentOf } from '#/ui/data/format-amounts.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { MiniGauge } from '#/ui/data/Gauge.tsx'
import { GroupHeads } from '#/ui/data/GroupHeads.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { availableIn, capacitiesOf, type Capacity, capacityKinds } from '#/features/utilization/capacities.ts'

interface Row {
  id: string
  name: string
  capacities: readonly Capacity[]
}

const nameColumn: Column<Row> = {
  id: 'silo',
  header: 'Silo',
  cell: ({ id, name }) => <SiloName id={id} name={name} />,
}

const columns: Column<Row>[] = [
  nameColumn,
  ...capacityKinds.map(({ id, label }): Column<Row> => ({
    id,
    header: label,
    part: 'line',
    cell: (row) => <OfKind row={row} id={id} show={Provisioned} />,
  })),
  ...capacityKinds.map(({ id, label }): Column<Row> => ({
    id: `${id}-available`,
    header: label,
    align: 'right',
    rank: 'low',
    cell: (row) => <OfKind row={row} id={id} show={Available} />,
  })),
]

const groups = [
  ['', 1],
  ['Provisioned / Quota', capacityKinds.length],
  ['Available', capacityKinds.length + 1],
] as const

/** Each silo with its use of its quotas. */
export function SiloUseTable({ silos }: { silos: readonly SiloUse[] }) {
  const rows = useMemo(
    () =>
      silos.map(({ siloId, siloName, provisioned, allocated }) => ({
        id: siloId,
        name: siloName,
        capacities: capacitiesOf(provisioned, allocated),
      })),
    [silos],
  )
  return (
    <Table
      label="Silos"
      columns={columns}
      groups={<GroupHeads spans={groups} />}
      rows={rows}
      rowKey={idOf}
      tall
      actions={({ id }) => rowMenu(id, 'Copy silo ID', [])}
    />
  )
}

const idOf = ({ id }: Row): string => id

interface KindProps {
  row: Row
  id: Capacity['id']
  show: (capacity: Capacity) => ReactNode
}

function OfKind({ row, id, show: Show }: KindProps) {
  const capacity = row.capacities.find((each) => each.id === id)
  return capacity && <Show {...capacity} />
}

function Provisioned({ label, provisioned, quota, unit, inUnit }: Capacity) {
  const percent = percentOf(provisioned, quota)
  return (
    <>
      <span className="inline-block w-16 text-muted md:hidden">{label}</span>
      {percent === undefined ? (
        <span className="text-muted">—</span>
      ) : (
        <MiniGauge label={`${label} provisioned`} used={percent} />
      )}
      <span className="text-sm max-md:ml-1.5 md:block">
        <Figure value={`${formatNumber(inUnit(provisioned))} / ${formatNumber(inUnit(quota))}`} unit={unit} />
      </span>
    </>
  )
}

function Available(capacity: Capacity) {
  return <Figure value={capacity.inUnit(availableIn(capacity))} unit={capacity.unit} />
}
