import { GiB, KiB, MiB, TiB } from '../base/bytes.rules.ts'
import { type IpAddress, parseIp, parseIpNet } from '../base/ip.rules.ts'
import { tagKeyProblem } from '../tags/tag.rules.ts'
import type { Comparison, FilterValue } from './filter-text.rules.ts'

/** Bounds of a number, of bytes, or of a time in milliseconds. Undefined on an open side. */
export interface Interval {
  from?: number
  to?: number
  /** The bound itself is outside. */
  isAfter?: true
  isBefore?: true
}

export interface AddressRange {
  version: 4 | 6
  first: bigint
  last: bigint
}

/** What a value is compared with, or the sentence that says what to write instead. */
export type Read<Result> = Result | { problem: string }

export const isProblem = <Result extends object>(read: Read<Result>): read is { problem: string } =>
  'problem' in read

/** Parts of a text between its wildcards: one part is the whole text. */
export type Pattern = readonly string[]

export const patternOf = ({ text, isQuoted }: FilterValue): Pattern =>
  (isQuoted ? [text] : text.split(/\*+/)).map((part) => part.toLowerCase())

const units: Readonly<Record<string, number>> = {
  b: 1,
  k: KiB,
  kib: KiB,
  m: MiB,
  mib: MiB,
  g: GiB,
  gib: GiB,
  t: TiB,
  tib: TiB,
}

export function readNumber(text: string, example: string): Read<{ value: number }> {
  return /^\d{1,9}$/.test(text)
    ? { value: Number(text) }
    : { problem: `Write a whole number, such as ${example}.` }
}

export function readBytes(text: string, example: string): Read<{ value: number }> {
  const [, number = '', unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)([a-z]*)$/i.exec(text) ?? []
  const factor = units[unit.toLowerCase()]
  if (number !== '' && factor !== undefined) return { value: Math.round(Number(number) * factor) }
  if (number !== '' && unit === '') return { problem: `Write a unit behind the number, such as ${example}.` }
  if (/^[kmgt]b$/i.test(unit))
    return { problem: `Sizes are in binary units here. Write ${number}${unit[0]?.toUpperCase()}iB.` }
  return { problem: `Write a size with its unit, such as ${example}.` }
}

const minute = 60_000
const day = 24 * 60 * minute
const ages: Readonly<Record<string, number>> = {
  s: 1000,
  m: minute,
  h: 60 * minute,
  d: day,
  w: 7 * day,
  mo: 30 * day,
  y: 365 * day,
}

/** The milliseconds of an age such as `7d`. */
function ageOf(text: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d{1,5})(s|m|h|d|w|mo|y)$/i.exec(text) ?? []
  const each = ages[unit.toLowerCase()]
  return each === undefined ? undefined : Number(number) * each
}

/** The time that a date covers: a year, a month, a day, a minute or a moment. UTC unless it has an offset. */
function datesOf(text: string): { from: number; to: number } | undefined {
  const [, year = '', month, date, time, seconds, zone] =
    /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/i.exec(
      text,
    ) ?? []
  if (year === '') return undefined
  const from = Date.parse(
    `${year}-${month ?? '01'}-${date ?? '01'}T${time ?? '00:00'}${seconds ?? ''}${zone?.toUpperCase() ?? 'Z'}`,
  )
  // The platform takes February 30 for March 1.
  if (Number.isNaN(from) || (date !== undefined && Number(date) > daysIn(Number(year), Number(month))))
    return undefined
  if (seconds !== undefined) return { from, to: from + 1 }
  if (time !== undefined) return { from, to: from + minute }
  if (date !== undefined) return { from, to: from + day }
  if (month !== undefined) return { from, to: from + daysIn(Number(year), Number(month)) * day }
  return { from, to: Date.parse(`${year}-12-31T00:00:00Z`) + day }
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/** A point or a span on a scale, by which `<` and `>` are understood. */
interface Extent {
  from: number
  /** Exclusive where it is greater than `from`. */
  to: number
  isAge: boolean
}

function extentOf(text: string, now: number): Extent | undefined {
  const age = ageOf(text)
  if (age !== undefined) return { from: now - age, to: now - age, isAge: true }
  const dates = datesOf(text)
  return dates && { ...dates, isAge: false }
}

const howToWriteTimes = 'Write an age such as <7d or >2mo, or a date such as 2025-11-29'

/** A younger object has a later time, so an age turns the comparison around. */
export function readTime(field: string, comparison: Comparison, text: string, now: number): Read<Interval> {
  const range = rangeOf(text)
  if (range) {
    if (comparison !== ':') return { problem: `Write ${field}:${text} for a range.` }
    const [one, other] = range.map((bound) => (bound === '' ? undefined : extentOf(bound, now)))
    if ((range[0] !== '' && !one) || (range[1] !== '' && !other) || (!one && !other))
      return { problem: `${howToWriteTimes}, on both sides of the dots.` }
    if (one && other && one.isAge !== other.isAge)
      return { problem: 'Write two ages or two dates on the sides of the dots, such as 1d..7d.' }
    const isAge = (one ?? other)?.isAge
    const [early, late] = isAge ? [other, one] : [one, other]
    if (early && late && early.from > late.from)
      return { problem: `Write ${field}:${range[1]}..${range[0]}, the smaller one first.` }
    return { ...(early && { from: early.from }), ...(late && endOf(late)) }
  }
  const extent = extentOf(text, now)
  if (!extent) return { problem: `${howToWriteTimes}.` }
  const { from, to, isAge } = extent
  if (comparison === ':') {
    if (isAge)
      return { problem: `Write ${field}<${text} for the last ${text}, or ${field}>${text} for before.` }
    return { from, to, isBefore: true }
  }
  const isLater = comparison.startsWith('>') !== isAge
  const isInclusive = comparison.endsWith('=')
  if (isLater) return isInclusive ? { from } : to > from ? { from: to } : { from, isAfter: true }
  return isInclusive ? endOf(extent) : { to: from, isBefore: true }
}

const endOf = ({ from, to }: Extent): Interval => (to > from ? { to, isBefore: true } : { to })

/** Reads a number or a size: a value, a comparison with one, or a range that includes both ends. */
export function readInterval(
  field: string,
  comparison: Comparison,
  text: string,
  read: (text: string) => Read<{ value: number }>,
): Read<Interval> {
  const range = rangeOf(text)
  if (range) {
    if (comparison !== ':') return { problem: `Write ${field}:${text} for a range.` }
    const [first, last] = range
    if (first === '' && last === '')
      return { problem: `Write a bound on a side of the dots, such as ${field}:2..` }
    // In 2..8GiB, the unit is of both.
    const unit = /[a-z]+$/i.exec(last)?.[0] ?? ''
    const one = first === '' ? undefined : read(/^[\d.]+$/.test(first) ? first + unit : first)
    const other = last === '' ? undefined : read(last)
    if (one && isProblem(one)) return one
    if (other && isProblem(other)) return other
    if (one && other && one.value > other.value)
      return { problem: `Write ${field}:${last}..${first}, the smaller one first.` }
    return { ...(one && { from: one.value }), ...(other && { to: other.value }) }
  }
  const one = read(text)
  if (isProblem(one)) return one
  const { value } = one
  switch (comparison) {
    case ':':
      return { from: value, to: value }
    case '<':
      return { to: value, isBefore: true }
    case '<=':
      return { to: value }
    case '>':
      return { from: value, isAfter: true }
    case '>=':
      return { from: value }
    default:
      return comparison satisfies never
  }
}

/** The sides of `a..b`, of which one may be empty. */
function rangeOf(text: string): [string, string] | undefined {
  const dots = text.indexOf('..')
  return dots < 0 ? undefined : [text.slice(0, dots), text.slice(dots + 2)]
}

export function readAddresses(text: string): Read<AddressRange> {
  const range = rangeOf(text)
  if (range) {
    const [first, last] = range.map((bound) => parseIp(bound))
    if (!first || !last || first.version !== last.version)
      return { problem: 'Write two addresses of one version, such as 10.0.0.1..10.0.0.9.' }
    if (first.value > last.value)
      return { problem: `Write ${range[1]}..${range[0]}, the smaller address first.` }
    return { version: first.version, first: first.value, last: last.value }
  }
  if (text.includes('/')) {
    const net = parseIpNet(text)
    return net
      ? { version: net.version, first: net.first, last: net.last }
      : { problem: 'Write a network as its address and width, such as 10.0.0.0/24.' }
  }
  const ip = parseIp(text)
  if (ip) return oneAddress(ip)
  const partly = /^(\d{1,3}(?:\.\d{1,3}){0,2})\.?\*?$/.exec(text)?.[1]
  if (partly) {
    const octets = partly.split('.')
    const net = [...octets, ...Array<string>(4 - octets.length).fill('0')].join('.')
    if (parseIp(net))
      return { problem: `Write the network ${net}/${8 * octets.length} for all addresses in it.` }
  }
  return { problem: 'Write an address such as 10.0.0.7, or a network such as 10.0.0.0/24.' }
}

const oneAddress = ({ version, value }: IpAddress): AddressRange => ({ version, first: value, last: value })

/** A MAC address, or its first bytes before a wildcard. */
export function readMac(text: string): Read<Interval> {
  const [, bytes = '', star] = /^((?:[\da-f]{2}[:-]){0,5}[\da-f]{2})([:-]\*)?$/i.exec(text) ?? []
  const digits = bytes.replaceAll(/[:-]/g, '')
  if (digits === '' || (digits.length === 12) === (star !== undefined))
    return { problem: 'Write a MAC address such as a8:40:25:f0:00:01, or its beginning such as a8:40:25:*.' }
  const behind = 12 - digits.length
  return {
    from: Number.parseInt(digits + '0'.repeat(behind), 16),
    to: Number.parseInt(digits + 'f'.repeat(behind), 16),
  }
}

/** Fewer digits of an id would match too many objects. */
const idDigits = 4

/** The bounds of the ids that begin with some digits. */
export function readId(text: string): Read<{ first: string; last: string }> {
  const digits = text.toLowerCase().replace(/\*$/, '').replaceAll('-', '')
  if (!/^[\da-f]+$/.test(digits) || digits.length < idDigits || digits.length > 32)
    return { problem: `Write an id, or at least its first ${idDigits} digits.` }
  const padded = (digit: string): string =>
    digits.padEnd(32, digit).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { first: padded('0'), last: padded('f') }
}

/** A tag by its key, and by its value if that is given: exactly, or with wildcards, where case does not matter. */
export interface TagPattern {
  key: string
  value: { exactly: string } | { like: Pattern } | undefined
}

export function readTag({ text, isQuoted }: FilterValue): Read<TagPattern> {
  const sign = text.indexOf('=')
  const key = (sign < 0 ? text : text.slice(0, sign)).toLowerCase()
  if (tagKeyProblem(key) !== undefined)
    return { problem: 'Write the key of a tag such as tag:env, or its key and value such as tag:env=prod.' }
  if (sign < 0) return { key, value: undefined }
  const value = text.slice(sign + 1)
  return {
    key,
    value:
      isQuoted || !value.includes('*')
        ? { exactly: value.normalize('NFC') }
        : { like: patternOf({ text: value.normalize('NFC'), isQuoted }) },
  }
}
