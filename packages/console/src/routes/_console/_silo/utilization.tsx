import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { usePolling } from '#/data/live.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { texts } from '#/kit/list/use-list-page.ts'
import {
  availableIn,
  capacitiesOf,
  type Capacity,
  utilizationView,
} from '#/features/utilization/capacities.ts'
import { CapacityCards } from '#/features/utilization/CapacityCards.tsx'
import { SiloCharts } from '#/features/metrics/parts.tsx'
import type { Column } from '#/ui/data/column.ts'
import { Figure } from '#/ui/data/Figures.tsx'
import { percentOf } from '#/ui/data/format-amounts.ts'
import { MiniGauge } from '#/ui/data/Gauge.tsx'
import { Table } from '#/ui/data/Table.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'

export const Route = createFileRoute('/_console/_silo/utilization')({
  loader: ({ context }) => context.prefetch(utilizationView),
  // The scope of the charts.
  validateSearch: texts('range', 'from', 'to', 'every', 'project'),
  staticData: { crumb: { label: 'Utilization', to: '/utilization' } },
  component: SiloUtilization,
})

const pollMs = 60_000

function SiloUtilization() {
  const { siloName } = useCurrentUser()
  const { data } = useSuspenseQuery({ ...utilizationView, refetchInterval: usePolling(pollMs) })
  const capacities = capacitiesOf(data.provisioned, data.capacity)
  return (
    <>
      <PageHead
        title="Utilization"
        docs={
          <DocsPopover topic="utilization" page="places#silos">
            Started instances use their CPU and memory; disks and snapshots use their full size. All projects
            in the silo share its quota.
          </DocsPopover>
        }
      />
      <div className="space-y-5.5">
        <CapacityCards capacities={capacities} />
        <CapacityTable label={`Quota of silo ${siloName}`} capacities={capacities} />
        <hr className="border-line" />
        <SiloCharts capacities={capacities} />
      </div>
    </>
  )
}

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
function CapacityTable({ label, capacities }: { label: string; capacities: readonly Capacity[] }) {
  return <Table label={label} columns={columns} rows={capacities} rowKey={idOf} />
}
