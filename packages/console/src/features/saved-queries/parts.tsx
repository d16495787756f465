import { watchRules, type WatchState } from '@gantry/api/metrics/metric-query.rules'
import { measuredText, thresholdText } from '@gantry/api/metrics/threshold-words.rules'
import { useWhyNot } from '#/data/permissions.ts'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import type { SavedQuery, Scope, Watch } from './queries.ts'

export const SavedQueryDocs = () => (
  <DocsPopover topic="metrics" page="metrics#saved-queries-and-thresholds">
    Queries over metrics and filters of lists, shared by name. One with a threshold is evaluated every{' '}
    {watchRules.everySeconds} seconds, and raises an alert when a measurement, or the number of objects that
    match, stays beyond the threshold.
  </DocsPopover>
)

const stateWords: Record<WatchState, { family: StateFamily; text: string }> = {
  ok: { family: 'ok', text: 'OK' },
  pending: { family: 'care', text: 'Pending' },
  firing: { family: 'fail', text: 'Firing' },
  no_data: { family: 'idle', text: 'No data' },
}

export function WatchPlate({ state }: Pick<Watch, 'state'>) {
  const { family, text } = stateWords[state]
  return <StatePlate family={family}>{text}</StatePlate>
}

/** The threshold as the end of a sentence: `above 90% of a vCPU for 5 minutes`. */
export const thresholdWords = ({
  query,
  filterOf,
  threshold,
}: Pick<SavedQuery, 'query' | 'filterOf' | 'threshold'>): string =>
  threshold
    ? thresholdText(
        { comparison: threshold.comparison, for_seconds: threshold.forSeconds },
        measuredText(query, filterOf, threshold.value),
      )
    : ''

/** Why the signed-in user may not save a new query here. */
export const useWhyNotSave = (project: Scope): string | undefined =>
  useWhyNot({ action: 'create_child', ...ownerOf(project) })

/** Why the signed-in user may not change saved queries here. In a project, the right to create includes it. */
export const useWhyNotChange = (project: Scope): string | undefined =>
  useWhyNot({ action: project === undefined ? 'modify' : 'create_child', ...ownerOf(project) })

const ownerOf = (project: Scope) =>
  project === undefined ? ({ object: 'fleet' } as const) : ({ object: 'project', id: project } as const)
