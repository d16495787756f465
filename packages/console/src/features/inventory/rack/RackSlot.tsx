import { useState } from 'react'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { formatCount, percentOf } from '#/ui/data/format-amounts.ts'
import { MiniGauge } from '#/ui/data/Gauge.tsx'
import { classes } from '#/ui/classes.ts'
import { sledLink } from '../links.ts'
import type { SledUse } from '../queries.ts'
import { ProvisionPolicyTag, SledHealth } from '../hardware-columns.tsx'
import { PointCell, PointChip, useLitSleds } from './RackLights.tsx'

/** One slot of a rack and its sled. */
export function RackSlot({ use }: { use: SledUse }) {
  const { sled, cubby, threads, memory, instances } = use
  const isLit = useLitSleds().has(sled.id)
  return (
    <li
      data-lit={isLit || undefined}
      className={classes(
        'grid gap-x-4 gap-y-1.5 rounded-control border bg-page px-3 py-2 md:grid-cols-[2rem_7rem_15rem_1fr]',
        isLit ? 'border-accent-edge shadow-[inset_0_0_0_1px_var(--accent-edge)]' : 'border-line',
      )}
    >
      <span className="text-sm text-muted tabular-nums">
        <span className="md:sr-only">Slot </span>
        {cubby}
      </span>
      <PageLink {...sledLink(sled.id)} className="link font-medium">
        {sled.baseboard.serial}
      </PageLink>
      <span className="flex flex-wrap content-start items-start gap-1.5">
        <SledHealth {...use} />
        {sled.policy.kind === 'in_service' && <ProvisionPolicyTag {...sled} />}
      </span>
      <div className="min-w-0 space-y-1.5 text-sm">
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-muted">
          <Load word="Threads" {...threads} />
          <Load word="Memory" {...memory} />
        </p>
        {instances.length > 0 && <Instances use={use} />}
      </div>
    </li>
  )
}

/** Up to this number, instances are listed by name at once. */
const namedAtMost = 12

/** The instances of a sled: their names if they are few, else their number, a cell for each, and names on demand. */
function Instances({ use: { sled, instances } }: { use: SledUse }) {
  const [areNamed, setNamed] = useState(false)
  const areMany = instances.length > namedAtMost
  return (
    <>
      {areMany && (
        <p className="flex flex-wrap items-center gap-x-3 text-muted">
          {formatCount(instances.length, 'instance')}
          <button
            type="button"
            aria-expanded={areNamed}
            className="link coarse:py-2.5"
            onClick={() => setNamed(!areNamed)}
          >
            {areNamed ? 'Hide names' : 'Show names'}
            <span className="sr-only"> of the instances on {sled.baseboard.serial}</span>
          </button>
        </p>
      )}
      {areMany && !areNamed ? (
        <Heat instances={instances} />
      ) : (
        <ul aria-label={`Instances on ${sled.baseboard.serial}`} className="flex flex-wrap gap-1">
          {instances.map((instance) => (
            <li key={instance.id}>
              <PointChip
                pointed={{ instance: instance.id }}
                tip={`${instance.siloName} / ${instance.projectName}`}
              >
                {instance.name}
              </PointChip>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** A cell for each instance, the darker the more of the sled it has; its name is shown under the pointer. */
function Heat({ instances }: Pick<SledUse, 'instances'>) {
  const most = Math.max(...instances.map(({ ncpus }) => ncpus))
  return (
    <div aria-hidden className="flex flex-wrap gap-0.5">
      {instances.map((instance) => (
        <PointCell key={instance.id} instance={instance} share={instance.ncpus / most} />
      ))}
    </div>
  )
}

function Load({ word, used, total }: { word: string; used: number; total: number }) {
  return (
    <span className="inline-flex items-center gap-2">
      {word} <MiniGauge label={`${word} reserved`} used={Math.round(percentOf(used, total) ?? 0)} />
    </span>
  )
}
