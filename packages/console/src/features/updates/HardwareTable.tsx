import { useMemo } from 'react'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { sledLink } from '#/features/inventory/links.ts'
import { Card } from '#/ui/data/Card.tsx'
import type { Column } from '#/ui/data/column.ts'
import { StatePlate } from '#/ui/data/StatePlate.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import type { UpdateComponent } from './queries.ts'
import { type Hardware, hardwareOf, stateWords } from './words.ts'

/** The versions on each sled, each switch and the control plane, in update order. */
export function HardwareTable({ components }: { components: readonly UpdateComponent[] }) {
  const rows = useMemo(() => hardwareOf(components), [components])
  return (
    <Card title="Components" description="Components update in this order, one at a time." flush>
      <Table inset label="Components" columns={columns} rows={rows} rowKey={idOf} />
    </Card>
  )
}

const idOf = ({ id }: Hardware): string => id

const columns: Column<Hardware>[] = [
  {
    id: 'name',
    header: 'Hardware',
    part: 'name',
    cell: ({ of, name, hardwareId }) =>
      of === 'sled' && hardwareId ? (
        <PageLink {...sledLink(hardwareId)} className="name">
          {name}
        </PageLink>
      ) : (
        <span className="font-medium text-strong">{name}</span>
      ),
  },
  {
    id: 'state',
    header: 'State',
    part: 'state',
    cell: ({ state }) => <StatePlate family={stateWords[state].family}>{stateWords[state].text}</StatePlate>,
  },
  { id: 'version', header: 'Runs', part: 'meta', cell: ({ versions }) => versions.join(', ') },
  {
    id: 'done',
    header: 'Current',
    isLabelled: true,
    align: 'right',
    cell: ({ done, total }) => (
      <span className="tabular-nums">
        {done} of {total}
      </span>
    ),
  },
  {
    id: 'detail',
    header: 'Detail',
    part: 'line',
    cell: ({ detail }) => (detail ? <span className="wrap-anywhere">{detail}</span> : <EmptyCell />),
  },
]
