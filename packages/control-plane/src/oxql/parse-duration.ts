import type { Cursor } from './cursor.ts'

const second = 1_000_000
const day = 86_400 * second
/** Microseconds of each unit. */
const units: Record<string, number> = {
  Y: 365 * day,
  M: 30 * day,
  w: 7 * day,
  d: day,
  h: 3600 * second,
  m: 60 * second,
  s: second,
  ms: 1000,
  us: 1,
  ns: 0.001,
}
const maxDurationCount = 2 ** 32 - 1

/** In microseconds. */
export function parseDuration(cursor: Cursor): number | undefined {
  const at = cursor.at
  const found = cursor.match(/(\d+)(ms|us|ns|[YMwdhms])/y, 'a duration')
  if (!found) return undefined
  const [, count = '', unit = ''] = found
  if (Number(count) > maxDurationCount) throw cursor.wrong(`a count of at most ${maxDurationCount}`, at)
  // Nanoseconds are divided, because multiplying by 0.001 is inexact for whole microseconds.
  return unit === 'ns' ? Number(count) / 1000 : Number(count) * (units[unit] ?? 0)
}
