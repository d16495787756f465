import type { Cursor } from './cursor.ts'
import { parseDuration } from './parse-duration.ts'
import type { Literal, Moment } from './syntax-tree.ts'

const date = /(\d{4})-(\d{2})-(\d{2})/y
const clock = /(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?/y

/** A timestamp literal, always UTC. */
export function parseMoment(cursor: Cursor): Literal | undefined {
  if (!cursor.take('@')) return undefined
  return { type: 'timestamp', value: relative(cursor) ?? absolute(cursor) }
}

function relative(cursor: Cursor): Moment | undefined {
  if (!cursor.take('now()')) return undefined
  for (const [sign, factor] of [
    ['-', -1],
    ['+', 1],
  ] as const) {
    if (!cursor.takeAfterBlanks(sign)) continue
    cursor.blanks()
    const offset = parseDuration(cursor)
    if (offset === undefined) throw cursor.error()
    return { from: 'now', offset: factor * offset }
  }
  return { from: 'now', offset: 0 }
}

function absolute(cursor: Cursor): Moment {
  const midnight = parseDate(cursor)
  if (midnight === undefined) {
    const offset = parseClock(cursor)
    if (offset === undefined) throw cursor.error()
    return { from: 'midnight', offset }
  }
  if (!cursor.take('T')) return { from: 'epoch', offset: midnight }
  const offset = parseClock(cursor)
  if (offset === undefined) throw cursor.error()
  return { from: 'epoch', offset: midnight + offset }
}

function parseDate(cursor: Cursor): number | undefined {
  const at = cursor.at
  const found = cursor.match(date, 'a date')
  if (!found) return undefined
  const [text] = found
  const midnight = Date.parse(`${text}T00:00:00Z`)
  // JavaScript turns 31 February into March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== text)
    throw cursor.wrong('a day of the calendar', at)
  return midnight * 1000
}

function parseClock(cursor: Cursor): number | undefined {
  const at = cursor.at
  const found = cursor.match(clock, 'a time')
  if (!found) return undefined
  const [hours, minutes, seconds] = found.slice(1, 4).map(Number)
  if (hours === undefined || minutes === undefined || seconds === undefined) return undefined
  if (hours > 23 || minutes > 59 || seconds > 59) throw cursor.wrong('a time of day', at)
  const micros = Number((found[4] ?? '').padEnd(6, '0').slice(0, 6))
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros
}
