import { isRestartingSoon } from '@gantry/api/instance.rules'
import { longDistance } from './long-distance.ts'
import type { Instance } from './queries.ts'

type Restarting = Pick<Instance, 'runState' | 'autoRestartEnabled' | 'autoRestartCooldownExpiration'>

/** When an instance may restart automatically again, and the text in brackets. */
export function cooldownOf(instance: Restarting, now: Date): { until?: Date; note?: string } {
  const { runState, autoRestartEnabled, autoRestartCooldownExpiration: end } = instance
  const until = end && end > now ? end : undefined
  if (runState !== 'failed' || !autoRestartEnabled) return { ...(until && { until }) }
  if (isRestartingSoon(instance, now)) return { note: 'restarting soon' }
  return until ? { until, note: longDistance(until.getTime() - now.getTime()) } : {}
}
