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

/** The texts of times, RFC 3339 in UTC, with microseconds only where there are any. */
export function timeTexts(times: readonly Micros[]): string[] {
  // An answer can have a million of them, most on the same few days: the platform formats only the days.
  let day = NaN
  let date = ''
  return times.map((time) => {
    const thisDay = Math.floor(time / dayMicros)
    if (thisDay !== day) {
      day = thisDay
      date = new Date(day * 86_400_000).toISOString().slice(0, 11)
    }
    return `${date}${clockText(Math.floor(time - day * dayMicros))}`
  })
}

function clockText(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000)
  const rest = micros % 1_000_000
  const clock = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
  if (rest === 0) return `${clock}.000Z`
  const digits = String(rest).padStart(6, '0')
  return `${clock}.${digits.endsWith('000') ? digits.slice(0, 3) : digits}Z`
}

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : `${value}`)
