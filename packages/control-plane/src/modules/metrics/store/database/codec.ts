import type { Points } from '../points.ts'
import { ByteReader, ByteWriter } from './bytes.ts'

/** The samples of one object, by the number of their series. */
export type PointsBySeries = Map<number, Points>

/*
 * Timeseries of one object are sampled together, so times and starts are written once and referenced by number.
 * Values are written as second-order differences, in units of their common divisor: a steady counter takes one byte
 * per sample.
 */
const asIntegers = 0
const asDecimals = 1
const asDoubles = 2
/** Set where samples are missing. */
const withGaps = 4
const decimals = 1000

export function encodeBlock(block: PointsBySeries): Uint8Array {
  const times = new Shared()
  const starts = new Shared()
  const body = new ByteWriter()
  for (const [series, points] of block) {
    if (points.times.length === 0) continue
    body.natural(series)
    body.natural(times.indexOf(points.times))
    body.natural(points.starts ? starts.indexOf(points.starts) + 1 : 0)
    writeValues(body, points.values)
  }
  const writer = new ByteWriter()
  for (const shared of [times, starts]) {
    writer.natural(shared.columns.length)
    for (const column of shared.columns) writeColumn(writer, column)
  }
  writer.append(body.done())
  return writer.done()
}

/** Decodes the requested series and skips the others. */
export function decodeBlock(bytes: Uint8Array, wanted?: ReadonlySet<number>): PointsBySeries {
  const reader = new ByteReader(bytes)
  const columns = () => Array.from({ length: reader.natural() }, () => readColumn(reader))
  const times = columns()
  const starts = columns()
  const block: PointsBySeries = new Map()
  while (!reader.isAtEnd) {
    const series = reader.natural()
    const at = times[reader.natural()] ?? []
    const since = reader.natural()
    const values = readValues(reader, at.length)
    if (wanted && !wanted.has(series)) continue
    block.set(series, { times: at, starts: since === 0 ? null : (starts[since - 1] ?? []), values })
  }
  return block
}

/** The columns shared by timeseries, each once. */
class Shared {
  readonly columns: (readonly number[])[] = []

  indexOf(column: readonly number[]): number {
    const known = this.columns.findIndex((one) => isSame(one, column))
    return known === -1 ? this.columns.push(column) - 1 : known
  }
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one === other || (one.length === other.length && one.every((value, index) => value === other[index]))

/** The first value, then runs of equal steps: regular times take a few bytes in total. */
function writeColumn(writer: ByteWriter, column: readonly number[]): void {
  writer.natural(column.length)
  writer.integer(column[0] ?? 0)
  for (let at = 1; at < column.length;) {
    const step = (column[at] ?? 0) - (column[at - 1] ?? 0)
    let end = at
    while (end < column.length && (column[end] ?? 0) - (column[end - 1] ?? 0) === step) end++
    writer.integer(step)
    writer.natural(end - at)
    at = end
  }
}

function readColumn(reader: ByteReader): number[] {
  const length = reader.natural()
  let last = reader.integer()
  const column = length > 0 ? [last] : []
  while (column.length < length) {
    const step = reader.integer()
    for (let left = reader.natural(); left > 0; left--) column.push((last += step))
  }
  return column
}

/** Beyond this, second-order differences no longer fit the exactly written integers. */
const largest = 2 ** 50

function writeValues(writer: ByteWriter, values: readonly (number | null)[]): void {
  const present = values.filter((value) => value !== null)
  const fits = (factor: number): boolean =>
    present.every((value) => {
      const whole = value * factor
      return Number.isInteger(whole) && Math.abs(whole) < largest && whole / factor === value
    })
  const form = fits(1) ? asIntegers : fits(decimals) ? asDecimals : asDoubles
  const gaps = present.length < values.length
  writer.natural(form + (gaps ? withGaps : 0))
  if (gaps) for (const value of values) writer.natural(value === null ? 0 : 1)
  if (form === asDoubles) for (const value of present) writer.double(value)
  else writeIntegers(writer, form === asDecimals ? present.map((value) => value * decimals) : present)
}

function writeIntegers(writer: ByteWriter, values: readonly number[]): void {
  const [first] = values
  if (first === undefined) return
  writer.integer(first)
  if (values.length === 1) return
  const steps = values.slice(1).map((value, index) => value - (values[index] ?? 0))
  const unit = steps.reduce(divisorOf, 0) || 1
  writer.natural(unit)
  let last = 0
  for (const step of steps) {
    writer.integer((step - last) / unit)
    last = step
  }
}

const divisorOf = (one: number, other: number): number => {
  let [a, b] = [Math.abs(one), Math.abs(other)]
  while (b > 0) [a, b] = [b, a % b]
  return a
}

function readValues(reader: ByteReader, length: number): (number | null)[] {
  const form = reader.natural()
  const isThere = form >= withGaps ? Array.from({ length }, () => reader.natural() === 1) : undefined
  const count = isThere ? isThere.filter(Boolean).length : length
  const present = readPresent(reader, form % withGaps, count)
  if (!isThere) return present
  let next = 0
  return isThere.map((there) => (there ? (present[next++] ?? null) : null))
}

function readPresent(reader: ByteReader, form: number, count: number): number[] {
  if (form === asDoubles) return Array.from({ length: count }, () => reader.double())
  if (count === 0) return []
  let value = reader.integer()
  const values = [value]
  const unit = count > 1 ? reader.natural() : 1
  let step = 0
  while (values.length < count) {
    step += reader.integer() * unit
    values.push((value += step))
  }
  return form === asDecimals ? values.map((one) => one / decimals) : values
}
