import { isRestartingSoon } from '@gantry/api/compute/instance.rules'
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

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** A rounded duration in the largest unit that fits, such as `5 minutes`; seconds if under a minute. */
export function longDistance(ms: number): string {
  const away = Math.max(0, ms)
  const [name, size] = units.find(([, size]) => away >= size - 500) ?? (['second', 1000] as const)
  const count = Math.round(away / size)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
