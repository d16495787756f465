import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import { PageHead } from '#/features/common/ListPage.tsx'
import { allSiloUse, systemCapacity } from '#/features/system/queries.ts'
import { CapacityCards } from '#/features/utilization/CapacityCards.tsx'
import { CapacityEstimate } from '#/features/system/utilization/CapacityEstimate.tsx'
import { SiloUseTable } from '#/features/system/utilization/SiloUseTable.tsx'
import { totalOf } from '#/features/system/utilization/silo-use.ts'

export const Route = createFileRoute('/_console/system/utilization')({
  loader: ({ context }) => {
    context.begin(systemCapacity)
    return context.prefetch(allSiloUse)
  },
  staticData: { crumb: { label: 'Utilization', to: '/system/utilization' } },
  component: SystemUtilization,
})

function SystemUtilization() {
  const { data: silos } = useSuspenseQuery(allSiloUse)
  // The estimate is an extension; other servers lack it.
  const { data: capacity } = useQuery(systemCapacity)
  return (
    <>
      <PageHead
        title="Utilization"
        docs={
          <DocsPopover topic="utilization">
            Quotas set aside CPU, memory and storage for each silo. Started instances use CPU and memory;
            disks and snapshots use their full size.
          </DocsPopover>
        }
      />
      <div className="space-y-5.5">
        <CapacityCards capacities={totalOf(silos)} quotaLabel="Quota (Total)" />
        <SiloUseTable silos={silos} />
        {capacity && <CapacityEstimate capacity={capacity} />}
      </div>
    </>
  )
}
