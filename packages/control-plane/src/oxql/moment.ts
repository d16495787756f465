import type { Micros } from './model.ts'
import type { Moment } from './syntax-tree.ts'

const dayMicros = 86_400_000_000
/** Years 0001 to 9999: beyond, a time has no text that clients read. */
const earliest = Date.parse('0001-01-01T00:00:00Z') * 1000
const latest = Date.parse('9999-12-31T23:59:59Z') * 1000

/** The time that a literal names. One `now` serves the whole query, so that subqueries share their grid. */
export function resolveMoment({ from, offset }: Moment, now: Micros): Micros {
  const base = { epoch: 0, now, midnight: Math.floor(now / dayMicros) * dayMicros }[from]
  return Math.min(Math.max(Math.round(base + offset), earliest), latest)
}

/** RFC 3339 in UTC, with microseconds only where there are any. */
export function timeText(time: Micros): string {
  const milliseconds = Math.floor(time / 1000)
  const text = new Date(milliseconds).toISOString()
  const rest = Math.floor(time - milliseconds * 1000)
  return rest === 0 ? text : `${text.slice(0, -1)}${String(rest).padStart(3, '0')}Z`
}
