import * as op from '@gantry/api/client/operations.gen'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { isAbsent } from '#/data/extensions.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { PageHead } from '#/kit/list/ListPage.tsx'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { FleetPlate } from '#/features/system/FleetPlate.tsx'
import { IssueKinds } from '#/features/system/IssueKinds.tsx'
import { IssueItems } from '#/features/system/IssueItems.tsx'
import { type SystemCapacity, systemOverview, type SystemOverview } from '#/features/system/queries.ts'
import { capacityKinds } from '#/features/utilization/capacities.ts'
import { capacityIcons } from '#/features/utilization/CapacityCards.tsx'
import { buttonClass } from '#/ui/Button.tsx'
import { CapacityCard } from '#/ui/data/CapacityCard.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import { formatNumber } from '#/ui/data/format.ts'

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
          <DocsPopover topic="the system" page="hardware">
            The health of the fleet, the capacity of the rack, and open issues.
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
        <OpenIssues overview={overview} />
        <SystemCapacityCards capacity={overview.capacity} />
      </div>
    </>
  )
}

/** Current problems: the worst by cause, and the number of issues of each kind. */
function OpenIssues({ overview: { issues, worst } }: { overview: SystemOverview }) {
  return (
    <Card
      title="Issues by cause"
      flush
      actions={
        <PageLink to="/system/issues" className={buttonClass({ kind: 'default' })}>
          All issues
        </PageLink>
      }
    >
      {issues.every(({ count }) => count === 0) ? (
        <CardEmpty title="No open issues">Nothing is wrong now.</CardEmpty>
      ) : (
        <>
          <div className="border-t border-line">
            <IssueItems label="Worst issues" issues={worst} />
          </div>
          <IssueKinds issues={issues} className="gap-x-5 gap-y-1 border-line py-2.5" />
        </>
      )}
    </Card>
  )
}

/** The rack's used and free capacity, and how much of it quotas promise, which can be more than there is. */
function SystemCapacityCards({ capacity }: { capacity: SystemCapacity }) {
  return (
    <div className="grid grid-cols-1 gap-4 md:grid-cols-3">
      {capacityKinds.map(({ id, label, unit, units, inUnit }) => {
        const used = capacity.provisioned[id]
        const reserved = capacity.allocated[id]
        const whole = capacity.estimate[id]
        const words = (amount: number) => `${formatNumber(inUnit(amount))} ${unit}`
        return (
          <CapacityCard
            key={id}
            icon={capacityIcons[id]}
            label={label}
            units={units}
            part={used}
            whole={whole}
            partWord="of the estimate provisioned"
            figures={[
              { label: 'Provisioned', value: inUnit(used), unit },
              { label: 'Free', value: inUnit(Math.max(0, whole - used)), unit },
              { label: 'Estimate', value: inUnit(whole), unit },
            ]}
            note={
              reserved > whole
                ? `Quotas promise ${words(reserved)} to silos, ${words(reserved - whole)} more than the estimate.`
                : `Quotas promise ${words(reserved)} to silos; ${words(whole - reserved)} are not promised yet.`
            }
          />
        )
      })}
    </div>
  )
}
