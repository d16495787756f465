import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { RouteTabs } from '#/kit/page/RouteTabs.tsx'
import { texts } from '#/kit/list/use-list-page.ts'
import { allSiloUse, systemCapacity } from '#/features/system/queries.ts'
import { CapacityCards } from '#/features/utilization/CapacityCards.tsx'
import { CapacityEstimate } from '#/features/system/utilization/CapacityEstimate.tsx'
import { SiloUseTable } from '#/features/system/utilization/SiloUseTable.tsx'
import { totalOf } from '#/features/system/utilization/silo-use.ts'
import { SystemCharts } from '#/features/metrics/parts.tsx'

export const Route = createFileRoute('/_console/system/utilization')({
  loader: ({ context }) => {
    context.begin(systemCapacity)
    return context.prefetch(allSiloUse)
  },
  // The tab, and the scope of its charts.
  validateSearch: texts('tab', 'range', 'from', 'to', 'every', 'silo'),
  staticData: { crumb: { label: 'Utilization', to: '/system/utilization' } },
  component: SystemUtilization,
})

const tabs = [
  { id: 'summary', label: 'Summary', link: { to: '/system/utilization' } },
  { id: 'metrics', label: 'Metrics', link: { to: '/system/utilization', search: { tab: 'metrics' } } },
] as const

function SystemUtilization() {
  const tab = Route.useSearch().tab === 'metrics' ? 'metrics' : 'summary'
  const { data: silos } = useSuspenseQuery(allSiloUse)
  // The estimate is an extension; other servers lack it.
  const { data: capacity } = useQuery(systemCapacity)
  return (
    <>
      <PageHead
        title="Utilization"
        docs={
          <DocsPopover topic="utilization" page="places#silos">
            Quotas set aside CPU, memory and storage for each silo. Started instances use CPU and memory;
            disks and snapshots use their full size.
          </DocsPopover>
        }
      />
      <div className="space-y-5.5">
        <CapacityCards capacities={totalOf(silos)} quotaLabel="Quota (Total)" />
        <div>
          <RouteTabs label="Utilization" tabs={tabs} current={tab}>
            {tab === 'metrics' ? (
              <SystemCharts silos={silos} />
            ) : (
              <div className="space-y-5.5">
                <SiloUseTable silos={silos} />
                {capacity && <CapacityEstimate capacity={capacity} />}
              </div>
            )}
          </RouteTabs>
        </div>
      </div>
    </>
  )
}
