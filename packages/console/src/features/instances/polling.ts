import { isRestartingSoon, isTransitioning } from '@gantry/api/compute/instance.rules'
import type { Instance } from './queries.ts'

type Watched = Pick<Instance, 'runState' | 'autoRestartEnabled' | 'autoRestartCooldownExpiration'>

/**
 * The poll interval of an instance's page in milliseconds. Stays short in transitional states and while an automatic
 * restart is possible.
 */
export function viewPolling(instance: Watched | undefined, now: Date = new Date()): number | false {
  if (!instance) return false
  if (isTransitioning(instance.runState)) return 2000
  if (instance.runState !== 'failed' || !instance.autoRestartEnabled) return false
  return isRestartingSoon(instance, now) ? 2000 : 30_000
}

type Row = Pick<Instance, 'id' | 'runState'>

export const listFastMs = 3000
export const listSlowMs = 60_000
/** Limits fast polling, in case a transitional state never ends. */
export const listWindowMs = 30_000

/**
 * The poll interval of a list in milliseconds, on servers without the change stream. A new transitional state opens a
 * window of fast polling. A changed state counts as new; a row that only leaves does not open a window.
 */
export function listPolling(now: () => number = Date.now): (rows: readonly Row[]) => number {
  let seen: ReadonlySet<string> = new Set()
  let openedAt = Number.NEGATIVE_INFINITY
  return (rows) => {
    const transitional = rows.filter(({ runState }) => isTransitioning(runState))
    const entries = new Set(transitional.map(({ id, runState }) => `${id}|${runState}`))
    if ([...entries].some((entry) => !seen.has(entry))) openedAt = now()
    seen = entries
    return entries.size > 0 && now() - openedAt < listWindowMs ? listFastMs : listSlowMs
  }
}
