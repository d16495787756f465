import { GiB, splitBytes, TiB } from '@gantry/api/base/bytes.rules'
import { formatNumber, once, plural, roundTo2 } from './format.ts'

/* Separate from `format.ts`, which is in every first load. */

const compact = once(
  () => new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 }),
)
const engineering = once(
  () => new Intl.NumberFormat(undefined, { notation: 'engineering', maximumFractionDigits: 1 }),
)

export const bytesToGib = (bytes: number) => roundTo2(bytes / GiB)
export const bytesToTib = (bytes: number) => roundTo2(bytes / TiB)

const bothDecimals = once(
  () => new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 }),
)

/** `3.00 MiB`: file sizes keep both decimals, so that a column of them lines up; bytes have none. */
export function formatFileSize(bytes: number) {
  const { value, unit } = splitBytes(bytes)
  return `${unit === 'B' ? formatNumber(value) : bothDecimals().format(value)} ${unit}`
}

/** Compact from a million, engineering notation from 10^15; `full` if abbreviated. */
export function formatBigNumber(value: number | bigint): { text: string; full?: string } {
  const size = value < 0 ? -value : value
  if (size < 1e6) return { text: formatNumber(value) }
  const text = size < 1e15 ? compact().format(value) : engineering().format(value).replace('E', 'e')
  return { text, full: formatNumber(value) }
}

/** The percentage of two amounts with two decimals, also for integers beyond the safe range. Undefined for 0 of 0. */
export function percentOf(part: number | bigint, whole: number | bigint): number | undefined {
  if (Number(whole) === 0) return undefined
  if (typeof part === 'bigint' && typeof whole === 'bigint') return Number((part * 10_000n) / whole) / 100
  return (Number(part) / Number(whole)) * 100
}

/** `67.11` as `67` and `.11`, because the decimals are smaller; whole numbers have no second half. */
export function splitPercent(percent: number): { whole: string; decimals: string } {
  const rounded = roundTo2(percent)
  const whole = formatNumber(Math.trunc(rounded))
  return { whole, decimals: formatNumber(rounded).slice(whole.length) }
}

export const formatPercent = (percent: number) => `${formatNumber(percent)}%`

/** `a`, `a or b`, `a, b, or c`. */
export function formatSeries(words: readonly string[], conjunction: 'and' | 'or' = 'and') {
  if (words.length < 3) return words.join(` ${conjunction} `)
  return `${words.slice(0, -1).join(', ')}, ${conjunction} ${words.at(-1)}`
}

/** `1 disk`, `3 disks`, `2,000 disks`. */
export const formatCount = (count: number, noun: string) => `${formatNumber(count)} ${plural(noun, count)}`
