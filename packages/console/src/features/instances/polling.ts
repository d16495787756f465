import { isRestartingSoon, isTransitioning } from '@gantry/api/instance.rules'
import type { Instance } from './queries.ts'

type Watched = Pick<Instance, 'runState' | 'autoRestartEnabled' | 'autoRestartCooldownExpiration'>

/** Milliseconds to the next look at the page of one instance: without end while it moves, and while it may restart by itself. */
export function viewPolling(instance: Watched | undefined, now: Date = new Date()): number | false {
  if (!instance) return false
  if (isTransitioning(instance.runState)) return 2000
  if (instance.runState !== 'failed' || !instance.autoRestartEnabled) return false
  return isRestartingSoon(instance, now) ? 2000 : 30_000
}
