import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { useMemo } from 'react'
import { TabHead } from '#/kit/page/RouteTabs.tsx'
import { hasUses, type SledUse, sledUses } from '#/features/inventory/queries.ts'
import { groupsOf, racksOf } from '#/features/inventory/rack/lit.ts'
import { MembersCard } from '#/features/inventory/rack/MembersCard.tsx'
import { PointChip, RackLights } from '#/features/inventory/rack/RackLights.tsx'
import { RackSlot } from '#/features/inventory/rack/RackSlot.tsx'
import { Card, CardEmpty } from '#/ui/data/Card.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { formatCount } from '#/ui/data/format-amounts.ts'

export const Route = createFileRoute('/_console/system/inventory/_page/racks')({
  loader: async ({ context }) => {
    await context.prefetch(sledUses)
    if (!hasUses()) throw redirect({ to: '/system/inventory/sleds', replace: true })
  },
  staticData: { crumb: { label: 'Rack', to: '/system/inventory/racks' } },
  component: Racks,
})

function Racks() {
  const { data } = useSuspenseQuery(sledUses)
  return <RackPicture uses={data.items} />
}

/** Each sled in its slot, with health, load and instances. The table of sleds has the same data. */
function RackPicture({ uses }: { uses: readonly SledUse[] }) {
  const racks = useMemo(() => racksOf(uses), [uses])
  if (racks.length === 0) return <EmptyState title="No sleds found" />
  return (
    <RackLights uses={uses}>
      <TabHead>
        The highest slot is at the top. Point at an instance or an anti-affinity group to light its sleds.
      </TabHead>
      <div className="grid items-start gap-5.5 xl:grid-cols-[minmax(0,1fr)_16rem]">
        <div className="min-w-0 space-y-5.5">
          {racks.map(({ id, sleds }) => (
            <section key={id} aria-label={`Rack ${id}`}>
              <h2 className="mb-2 flex flex-wrap items-center gap-2 text-base">
                Rack <CopyableId id={id} max={24} />
              </h2>
              <ol className="space-y-1 rounded-block border-2 border-control-line bg-sunken p-1.5">
                {sleds.map((use) => (
                  <RackSlot key={use.sled.id} use={use} />
                ))}
              </ol>
            </section>
          ))}
        </div>
        <div className="space-y-5.5">
          {racks.map(({ id }) => (
            <MembersCard key={id} rackId={id} />
          ))}
          <GroupList uses={uses} />
        </div>
      </div>
    </RackLights>
  )
}

/** The anti-affinity groups of the running instances, each with the sleds of its members. */
function GroupList({ uses }: { uses: readonly SledUse[] }) {
  const groups = useMemo(() => groupsOf(uses), [uses])
  return (
    <Card title="Anti-affinity groups" flush>
      {groups.length === 0 ? (
        <CardEmpty title="No groups">No running instance is in an anti-affinity group.</CardEmpty>
      ) : (
        <ul aria-label="Anti-affinity groups" className="border-t border-line">
          {groups.map(({ id, name, projectName, siloName, serials, members }) => (
            <li key={id} className="border-t border-faint-line px-3.5 py-2 text-sm first:border-t-0">
              <PointChip pointed={{ group: id }} tip={`${siloName} / ${projectName}`}>
                {name}
              </PointChip>
              <p className="mt-1 text-muted wrap-anywhere">
                {siloName} / {projectName}: {formatCount(members, 'instance')} on {serials.join(', ')}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
