import { PageLink } from '#/features/common/PageLink.tsx'
import { classes } from '#/ui/classes.ts'
import { Card } from '#/ui/Card.tsx'
import { sledLink } from '../links.ts'
import type { SledUse } from '../queries.ts'
import { useLitSleds } from './RackLights.tsx'

/** A rack's sleds side by side, from the lowest slot up, to show where else an instance could run. */
export function RackStrip({ uses, current }: { uses: readonly SledUse[]; current: string }) {
  const lit = useLitSleds()
  const rackId = uses.find(({ sled }) => sled.id === current)?.sled.rackId
  return (
    <Card
      title="Rack"
      description="Point at an instance to light its sleds and those of its anti-affinity groups"
    >
      <ol aria-label="Sleds of the rack" className="flex flex-wrap gap-1">
        {uses
          .filter(({ sled }) => sled.rackId === rackId)
          .map(({ sled: { id, baseboard } }) => (
            <li
              key={id}
              data-lit={lit.has(id) || undefined}
              className={classes(
                'rounded-control border px-2 py-1 text-sm',
                lit.has(id)
                  ? 'border-accent-edge shadow-[inset_0_0_0_1px_var(--accent-edge)]'
                  : 'border-line',
                id === current && 'bg-selected',
              )}
            >
              <PageLink
                {...sledLink(id)}
                aria-current={id === current ? 'page' : undefined}
                className="link tabular-nums"
              >
                {baseboard.serial}
              </PageLink>
            </li>
          ))}
      </ol>
    </Card>
  )
}
