import { useMemo } from 'react'
import { TabHead } from '#/features/common/TabHead.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'
import type { SledUse } from '../queries.ts'
import { GroupList } from './GroupList.tsx'
import { racksOf } from './lit.ts'
import { RackLights } from './RackLights.tsx'
import { RackSlot } from './RackSlot.tsx'

/** Each sled in its slot, with health, load and instances. The table of sleds has the same data. */
export function RackPicture({ uses }: { uses: readonly SledUse[] }) {
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
        <GroupList uses={uses} />
      </div>
    </RackLights>
  )
}
