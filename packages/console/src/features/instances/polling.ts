import { isRestartingSoon, isTransitioning } from '@gantry/api/instance.rules'
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
