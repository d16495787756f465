import type { Cron } from './cron.rules.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Until the next February 29, across a year that is no leap year though it is divisible by four. */
const searchedDays = 8 * 366 + 2

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    era: 'short',
  })
  // Each name of a zone that a user sends costs memory.
  if (formats.size >= 100) formats.clear()
  formats.set(zone, made)
  return made
}

export const zoneMaxLength = 64

/** Whether a name of the time zone database is known here: `Europe/Berlin`. */
export function isTimeZone(zone: string): boolean {
  // Offsets such as +02:00 are no zones: they know no daylight saving time.
  if (!/^[A-Za-z][\w+/-]*$/.test(zone)) return false
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

/** What the clocks of a zone show at a moment, as if they showed UTC. */
export function clockAt(zone: string, time: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of formatOf(zone).formatToParts(time)) parts[type] = value
  const { year, month, day, hour, minute, second } = parts
  const shown = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  return shown + (((time % 1000) + 1000) % 1000)
}

const offsetAt = (zone: string, time: number): number => clockAt(zone, time) - time

/** The moments at which the clocks show a time: none if they are put forward over it, two if they are put back. */
function momentsOf(zone: string, shown: number): { moments: number[]; offsets: [number, number] } {
  const offsets: [number, number] = [offsetAt(zone, shown - 30 * hourMs), offsetAt(zone, shown + 30 * hourMs)]
  const moments = [...new Set(offsets)]
    .map((offset) => shown - offset)
    .filter((moment) => clockAt(zone, moment) === shown)
    .toSorted((one, other) => one - other)
  return { moments, offsets }
}

/** The moment at which the clocks are put forward over a time. */
function leapOver(zone: string, shown: number, [before, after]: [number, number]): number {
  let [early, late] = [shown - after, shown - before]
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (offsetAt(zone, middle) === after) late = middle
    else early = middle
  }
  return late
}

/** The moments of one day, given by its midnight as `clockAt` has it, in order. */
function timesOfDay({ minutes, hours, isEveryHour }: Cron, zone: string, midnight: number): number[] {
  const times = new Set<number>()
  for (const hour of hours)
    for (const minute of minutes) {
      const shown = midnight + hour * hourMs + minute * minuteMs
      const { moments, offsets } = momentsOf(zone, shown)
      if (isEveryHour) for (const moment of moments) times.add(moment)
      else times.add(moments[0] ?? leapOver(zone, shown, offsets))
    }
  return [...times].toSorted((one, other) => one - other)
}

function isOn({ days, months, weekdays, isEitherDay }: Cron, midnight: number): boolean {
  const date = new Date(midnight)
  if (!months.includes(date.getUTCMonth() + 1)) return false
  const [day, weekday] = [days.includes(date.getUTCDate()), weekdays.includes(date.getUTCDay())]
  return isEitherDay ? day || weekday : day && weekday
}

const midnightOf = (shown: number): number => Math.floor(shown / dayMs) * dayMs

/** The first moments after one, at most `count`. */
export function timesAfter(cron: Cron, zone: string, after: number, count: number): number[] {
  const times: number[] = []
  let day = midnightOf(clockAt(zone, after)) - dayMs
  for (let searched = 0; searched < searchedDays; searched++, day += dayMs) {
    if (!isOn(cron, day)) continue
    for (const time of timesOfDay(cron, zone, day)) {
      if (time <= (times.at(-1) ?? after)) continue
      times.push(time)
      if (times.length === count) return times
    }
  }
  return times
}

/** The last moment until and including one, which is at or after `from`. */
export function lastTime(cron: Cron, zone: string, from: number, until: number): number | undefined {
  const first = midnightOf(clockAt(zone, from)) - dayMs
  for (let day = midnightOf(clockAt(zone, until)) + dayMs; day >= first; day -= dayMs) {
    if (!isOn(cron, day)) continue
    const time = timesOfDay(cron, zone, day).findLast((one) => one <= until)
    if (time !== undefined) return time >= from ? time : undefined
  }
  return undefined
}
