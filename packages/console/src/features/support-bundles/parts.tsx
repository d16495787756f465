import type { SupportBundleState } from '@gantry/api/support-bundle.rules'
import { Progress } from '#/ui/Progress.tsx'
import { type StateFamily, StatePlate } from '#/ui/StatePlate.tsx'
import type { Bundle } from './queries.ts'

const words: Record<SupportBundleState, { family: StateFamily; text: string }> = {
  collecting: { family: 'busy', text: 'Collecting' },
  active: { family: 'ok', text: 'Ready' },
  failed: { family: 'fail', text: 'Failed' },
  destroying: { family: 'gone', text: 'Deleting' },
}

export const BundleState = ({ state }: Pick<Bundle, 'state'>) => (
  <StatePlate family={words[state].family}>{words[state].text}</StatePlate>
)

/** How much of a bundle is collected. */
export function BundleProgress({ partsDone, partsTotal }: Pick<Bundle, 'partsDone' | 'partsTotal'>) {
  const percent = partsTotal === 0 ? 0 : (100 * partsDone) / partsTotal
  return (
    <div className="flex min-w-28 items-center gap-2">
      <div className="flex-1">
        <Progress label="Collected" percent={percent} />
      </div>
      <span className="text-xs whitespace-nowrap text-muted tabular-nums">
        {partsDone} of {partsTotal}
      </span>
    </div>
  )
}
