import { isTransitioning } from '@gantry/api/instance.rules'
import type { Instance } from './queries.ts'

type Row = Pick<Instance, 'id' | 'runState'>

export const listFastMs = 3000
export const listSlowMs = 60_000
/** Quick looks end after this, in case something stays in between for ever. */
export const listWindowMs = 30_000

/**
 * Milliseconds to the next look at a list, on servers that do not tell of changes by themselves. Something new in
 * transition opens a window of quick looks; the state counts as part of what is new, and a row that merely leaves
 * does not open another.
 */
export function listPolling(now: () => number = Date.now): (rows: readonly Row[]) => number {
  let seen: ReadonlySet<string> = new Set()
  let openedAt = Number.NEGATIVE_INFINITY
  return (rows) => {
    const moving = rows.filter(({ runState }) => isTransitioning(runState))
    const entries = new Set(moving.map(({ id, runState }) => `${id}|${runState}`))
    if ([...entries].some((entry) => !seen.has(entry))) openedAt = now()
    seen = entries
    return entries.size > 0 && now() - openedAt < listWindowMs ? listFastMs : listSlowMs
  }
}
