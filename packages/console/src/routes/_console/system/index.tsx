import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { isAbsent } from '#/data/extensions.ts'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import { PageHead } from '#/features/common/ListPage.tsx'
import { PageLink } from '#/features/common/PageLink.tsx'
import { FleetPlate } from '#/features/system/FleetPlate.tsx'
import { OpenIssues } from '#/features/system/OpenIssues.tsx'
import { systemOverview } from '#/features/system/queries.ts'
import { SystemCapacityCards } from '#/features/system/utilization/SystemCapacityCards.tsx'
import { buttonClass } from '#/ui/Button.tsx'

export const Route = createFileRoute('/_console/system/')({
  loader: async ({ context }) => {
    try {
      await context.prefetch(systemOverview)
    } catch (cause) {
      // The overview is an extension; on other servers the area begins with utilization.
      if (!isAbsent(op.systemOverviewView)) throw cause
      throw redirect({ to: '/system/utilization', replace: true })
    }
  },
  staticData: { saysSimulated: true },
  component: Overview,
})

function Overview() {
  const { data: overview } = useSuspenseQuery(systemOverview)
  return (
    <>
      <PageHead
        title="Overview"
        docs={
          <DocsPopover topic="the system">
            The health of the fleet, what the rack can give to instances, and what needs an operator now.
          </DocsPopover>
        }
        actions={
          <PageLink to="/system/utilization" className={buttonClass({ kind: 'default' })}>
            View utilization
          </PageLink>
        }
      />
      <div className="space-y-5.5">
        <FleetPlate overview={overview} />
        <SystemCapacityCards capacity={overview.capacity} />
        <OpenIssues overview={overview} />
      </div>
    </>
  )
}
