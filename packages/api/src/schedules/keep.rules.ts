import { clockAt } from './times.rules.ts'

/** How many of the newest hours, days, weeks and months keep their last snapshot. */
export const keepLevels = ['hourly', 'daily', 'weekly', 'monthly'] as const
export type KeepLevel = (typeof keepLevels)[number]
export type KeepRule = Readonly<Record<KeepLevel, number>>

export const keepMax = 1000

export const keepProblem = (keep: KeepRule): string | undefined =>
  keepLevels.every((level) => keep[level] === 0) ? 'Keep at least one' : undefined

const dayMs = 24 * 3_600_000

const periodOf: Readonly<Record<KeepLevel, (shown: number, time: number) => number>> = {
  // An hour that occurs twice is two hours.
  hourly: (_shown, time) => Math.floor(time / 3_600_000),
  daily: (shown) => Math.floor(shown / dayMs),
  // 1970 began on a Thursday, and weeks begin on Mondays.
  weekly: (shown) => Math.floor((Math.floor(shown / dayMs) + 3) / 7),
  monthly: (shown) => new Date(shown).getUTCFullYear() * 12 + new Date(shown).getUTCMonth(),
}

/** Which of an object's good snapshots stay: the last of each period that counts, and the last of all in any case. */
export function kept<Made extends { time: number }>(
  made: readonly Made[],
  keep: KeepRule,
  zone: string,
): Set<Made> {
  const newest = made.toSorted((one, other) => other.time - one.time)
  const stay = new Set(newest.slice(0, 1))
  for (const level of keepLevels) {
    const periods = new Set<number>()
    for (const one of newest) {
      if (periods.size === keep[level]) break
      const period = periodOf[level](clockAt(zone, one.time), one.time)
      if (periods.has(period)) continue
      periods.add(period)
      stay.add(one)
    }
  }
  return stay
}
