const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
export type ByteUnit = (typeof units)[number]

const KIB = 1024
export const GIB = KIB ** 3
export const TIB = KIB ** 4

const twoDecimals = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })
const engineering = new Intl.NumberFormat(undefined, { notation: 'engineering', maximumFractionDigits: 1 })

/** A number in the reader's own notation, with at most two decimals. */
export const formatNumber = (value: number | bigint) => twoDecimals.format(value)

/** At most two decimals, trailing zeros dropped. */
export const roundTo2 = (value: number) => Math.round(value * 100) / 100

export const bytesToGib = (bytes: number) => roundTo2(bytes / GIB)
export const bytesToTib = (bytes: number) => roundTo2(bytes / TIB)

/** The largest unit in which the value, as it will be shown, is at least 1. */
export function unitFor(bytes: number): ByteUnit {
  const steps = units.length - 1
  let step = 0
  // Rounded first, because 1023.999 KiB would otherwise be shown as "1,024 KiB".
  for (let left = Math.abs(bytes); roundTo2(left) >= KIB && step < steps; left /= KIB) step += 1
  return units[step] ?? 'B'
}

export const bytesIn = (bytes: number, unit: ByteUnit) => bytes / KIB ** units.indexOf(unit)

/** Splits a size into its number and its unit, because the unit is set dimmer. */
export function splitBytes(bytes: number): { value: string; unit: ByteUnit } {
  const unit = unitFor(bytes)
  return { value: twoDecimals.format(bytesIn(bytes, unit)), unit }
}

/** `2.5 GiB`. */
export function formatBytes(bytes: number) {
  const { value, unit } = splitBytes(bytes)
  return `${value} ${unit}`
}

/** `3.00 MiB`: files show both decimals, so that a column of them lines up. */
export function formatFileSize(bytes: number) {
  const unit = unitFor(bytes)
  return `${bytesIn(bytes, unit).toFixed(2)} ${unit}`
}

/** Compact from a million, engineering from a thousand million million; `full` when something was left out. */
export function formatBigNumber(value: number | bigint): { text: string; full?: string } {
  const size = value < 0 ? -value : value
  if (size < 1e6) return { text: formatNumber(value) }
  const text = size < 1e15 ? compact.format(value) : engineering.format(value).replace('E', 'e')
  return { text, full: formatNumber(value) }
}

/** Percent of two amounts with two decimals kept, also for integers beyond the safe range. 0 of 0 is `undefined`. */
export function percentOf(part: number | bigint, whole: number | bigint): number | undefined {
  if (Number(whole) === 0) return undefined
  if (typeof part === 'bigint' && typeof whole === 'bigint') return Number((part * 10_000n) / whole) / 100
  return (Number(part) / Number(whole)) * 100
}

/** `67.11` as `67` and `.11`, because the decimals are set smaller; whole numbers have no second half. */
export function splitPercent(percent: number): { whole: string; decimals: string } {
  const [whole = '0', decimals] = String(roundTo2(percent)).split('.')
  return { whole, decimals: decimals ? `.${decimals}` : '' }
}

export const formatPercent = (percent: number) => `${roundTo2(percent)}%`

/** `a`, `a or b`, `a, b, or c`. */
export function formatSeries(words: readonly string[], conjunction: 'and' | 'or' = 'and') {
  if (words.length < 3) return words.join(` ${conjunction} `)
  return `${words.slice(0, -1).join(', ')}, ${conjunction} ${words.at(-1)}`
}

/** `1 disk`, `3 disks`, `2,000 disks`. */
export const formatCount = (count: number, noun: string) => `${formatNumber(count)} ${plural(noun, count)}`

export const plural = (noun: string, count: number) => (count === 1 ? noun : `${noun}s`)

/** `importing_from_url` as `Importing from URL`. */
export function sentenceCase(words: string) {
  const text = words.replace(/[_-]/g, ' ').toLowerCase()
  const spelled = text.replace(/\b(url|ip|id|vpc|cpu|ssh)\b/g, (word) => word.toUpperCase())
  return spelled.charAt(0).toUpperCase() + spelled.slice(1)
}

/** Cuts at the end or in the middle, so that the result with its ellipsis fits into `max` characters. */
export function truncate(text: string, max: number, at: 'end' | 'middle' = 'end') {
  if (text.length <= max) return text
  if (at === 'end') return `${text.slice(0, max - 2)}…`
  const half = Math.floor((max - 2) / 2)
  return `${text.slice(0, half)}…${text.slice(-half)}`
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH = 30 * DAY
const YEAR = 365 * DAY

/** Milliseconds as one unit: `12s`, `59m`, `3h`, `42d`, `4mo`, `1y`. Days go on to 59, where months become meaningful. */
export function formatDistance(ms: number) {
  const away = Math.max(0, Math.abs(ms))
  if (away < MINUTE) return `${Math.floor(away / SECOND)}s`
  if (away < HOUR) return `${Math.floor(away / MINUTE)}m`
  if (away < DAY) return `${Math.floor(away / HOUR)}h`
  if (away < 2 * MONTH) return `${Math.floor(away / DAY)}d`
  if (away < YEAR) return `${Math.floor(away / MONTH)}mo`
  return `${Math.floor(away / YEAR)}y`
}

const mediumDate = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const shortTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const mediumTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })

export const formatDate = (date: Date) => mediumDate.format(date)
export const formatTime = (date: Date) => shortTime.format(date)
export const formatTimeToSecond = (date: Date) => mediumTime.format(date)
export const formatDateTime = (date: Date) => `${formatDate(date)}, ${formatTime(date)}`
