import { type Amount, splitBytes, splitMemory } from '@gantry/api/base/bytes.rules'

/** Creates a value on first use: formats take up to 10 ms each, and not every page needs one. */
export function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => (value ??= make())
}

const twoDecimals = once(() => new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 }))
/** A number in the user's locale, with at most two decimals. */
export const formatNumber = (value: number | bigint) => twoDecimals().format(value)

/** At most two decimals, without trailing zeros. */
export const roundTo2 = (value: number) => Math.round(value * 100) / 100

const formatAmount = ({ value, unit }: Amount) => `${formatNumber(value)} ${unit}`

/** `2.5 GiB`, in the largest unit that fits. */
export const formatBytes = (bytes: number) => formatAmount(splitBytes(bytes))

/** `1,536 GiB`: memory has no larger unit. */
export const formatMemory = (bytes: number) => formatAmount(splitMemory(bytes))

export const plural = (noun: string, count: number) =>
  count === 1 ? noun : /(s|x|ch)$/.test(noun) ? `${noun}es` : `${noun}s`

/** `importing_from_url` as `Importing from URL`. */
export function sentenceCase(words: string) {
  const text = words.replace(/[_-]/g, ' ').toLowerCase()
  const withAcronyms = text.replace(/\b(bfd|bgp|cpu|icmp|id|ip|lldp|saml|ssh|tls|totp|url|vpc)\b/g, (word) =>
    word.toUpperCase(),
  )
  return withAcronyms.charAt(0).toUpperCase() + withAcronyms.slice(1)
}

/**
 * Cuts at the end or in the middle, so that the result with its ellipsis fits into `max` characters, of which none is
 * halved.
 */
export function truncate(text: string, max: number, at: 'end' | 'middle' = 'end') {
  if (text.length <= max) return text
  const chars = Array.from(text)
  if (chars.length <= max) return text
  if (at === 'end') return `${chars.slice(0, max - 2).join('')}…`
  const half = Math.floor((max - 2) / 2)
  return `${chars.slice(0, half).join('')}…${chars.slice(-half).join('')}`
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH = 30 * DAY
const YEAR = 365 * DAY

/**
 * Milliseconds as one unit: `12s`, `59m`, `3h`, `42d`, `4mo`, `1y`. Days go up to 59, from where months are accurate
 * enough.
 */
export function formatDistance(ms: number) {
  const away = Math.max(0, Math.abs(ms))
  if (away < MINUTE) return `${Math.floor(away / SECOND)}s`
  if (away < HOUR) return `${Math.floor(away / MINUTE)}m`
  if (away < DAY) return `${Math.floor(away / HOUR)}h`
  if (away < 2 * MONTH) return `${Math.floor(away / DAY)}d`
  if (away < YEAR) return `${Math.floor(away / MONTH)}mo`
  return `${Math.floor(away / YEAR)}y`
}

const mediumDate = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }))
const shortTime = once(() => new Intl.DateTimeFormat(undefined, { timeStyle: 'short' }))
const mediumTime = once(() => new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' }))

export const formatDate = (date: Date) => mediumDate().format(date)
export const formatTime = (date: Date) => shortTime().format(date)
export const formatTimeToSecond = (date: Date) => mediumTime().format(date)
export const formatDateTime = (date: Date) => `${formatDate(date)}, ${formatTime(date)}`
