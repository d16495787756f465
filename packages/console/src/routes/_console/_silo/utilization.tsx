import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useCurrentUser } from '#/data/current-user.ts'
import { usePolling } from '#/data/live.ts'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import { PageHead } from '#/features/common/ListPage.tsx'
import { texts } from '#/features/common/use-list-page.ts'
import { capacitiesOf } from '#/features/utilization/capacities.ts'
import { CapacityCards } from '#/features/utilization/CapacityCards.tsx'
import { CapacityTable } from '#/features/utilization/CapacityTable.tsx'
import { SiloCharts } from '#/features/metrics/parts.tsx'
import { utilizationView } from '#/features/utilization/queries.ts'

export const Route = createFileRoute('/_console/_silo/utilization')({
  loader: ({ context }) => context.prefetch(utilizationView),
  // What the charts show.
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
          <DocsPopover topic="utilization">
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
