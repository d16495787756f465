/** A line of cron: the minutes of the days on which something is due. */
export interface Cron {
  minutes: readonly number[]
  hours: readonly number[]
  /** The hours are a star: it counts the time that passes rather than the hours on the clock. */
  isEveryHour: boolean
  days: readonly number[]
  months: readonly number[]
  weekdays: readonly number[]
  /** Where both the day of the month and the weekday are limited, either is enough, as in every cron. */
  isEitherDay: boolean
}

interface Field {
  label: string
  least: number
  most: number
  names?: readonly string[]
}

const fields: readonly Field[] = [
  { label: 'minute', least: 0, most: 59 },
  { label: 'hour', least: 0, most: 23 },
  { label: 'day of the month', least: 1, most: 31 },
  {
    label: 'month',
    least: 1,
    most: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { label: 'weekday', least: 0, most: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
]

export const cronMaxLength = 200
/** Something is due no more often than this. */
export const leastMinutesApart = 5

/** Reads five fields of cron, or says what is wrong with them. */
export function readCron(text: string): { cron: Cron; problem?: never } | { cron?: never; problem: string } {
  const parts = text.trim().split(/\s+/)
  if (parts.length !== fields.length)
    return { problem: 'Enter five fields: minute, hour, day of the month, month, weekday' }
  const values: number[][] = []
  for (const [at, field] of fields.entries()) {
    const read = readField(parts[at] ?? '', field)
    if (typeof read === 'string') return { problem: read }
    values.push(read)
  }
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = values
  const problem = apartProblem(minutes)
  if (problem) return { problem }
  const cron: Cron = {
    minutes,
    hours,
    isEveryHour: parts[1] === '*',
    days,
    months,
    weekdays: [...new Set(weekdays.map((day) => day % 7))],
    isEitherDay: !parts[2]?.startsWith('*') && !parts[4]?.startsWith('*'),
  }
  return canHappen(cron) ? { cron } : { problem: 'There is no such day' }
}

/** The values of one field in order, or what is wrong with it. */
function readField(text: string, { label, least, most, names }: Field): number[] | string {
  const wrong = `"${text}" is no ${label}: use ${least} to ${most}, *, a list as 1,2, a range as 1-5, or steps as */10`
  const found = new Set<number>()
  for (const item of text.toLowerCase().split(',')) {
    const [, from = '', to, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d{1,3}))?$/.exec(item) ?? []
    const valueOf = (word: string): number => {
      const named = names?.indexOf(word) ?? -1
      return named >= 0 ? named + least : /^\d{1,2}$/.test(word) ? Number(word) : Number.NaN
    }
    const isStar = from === '*'
    const first = isStar ? least : valueOf(from)
    // As in every cron, a step without a range reaches to the end.
    const last = isStar || (to === undefined && step !== undefined) ? most : valueOf(to ?? from)
    const by = step === undefined ? 1 : Number(step)
    if (isStar && to !== undefined) return wrong
    if (!(first >= least && last <= most && first <= last && by >= 1)) return wrong
    for (let value = first; value <= last; value += by) found.add(value)
  }
  return [...found].toSorted((one, other) => one - other)
}

/** The last minute of an hour and the first one of the next count too. */
function apartProblem(minutes: readonly number[]): string | undefined {
  const gaps = minutes.map((minute, at) => (minutes[at + 1] ?? (minutes[0] ?? 0) + 60) - minute)
  return gaps.some((gap) => gap < leastMinutesApart)
    ? `Leave at least ${leastMinutesApart} minutes between two runs`
    : undefined
}

const longestMonths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const canHappen = ({ days, months, isEitherDay }: Cron): boolean =>
  isEitherDay || months.some((month) => (days[0] ?? 1) <= (longestMonths[month - 1] ?? 0))
