import type { Datum, Distribution, Fields, FieldValue, OxqlTable, StoredTimeseries } from '../model.ts'
import { parseQuery } from '../parse.ts'
import type { Expression, Literal, Operation, Query } from '../syntax-tree.ts'
import type { StoredTable } from './memory-source.ts'

/**
 * An independent second implementation for the tests, which shares only the parsed query with the evaluator:
 * it evaluates every expression as written for every sample of everything, scans all points for every output,
 * and counts in bigints of microseconds.
 */
interface Point {
  /** Undefined for gauges. */
  start?: bigint
  epoch?: bigint
  time: bigint
  values: Datum[]
}
interface Line {
  fields: [string, FieldValue][]
  points: Point[]
}
interface Sheet {
  name: string
  lines: Line[]
}

export function slowAnswer(text: string, tables: readonly StoredTable[], now: number): unknown[] {
  const query = parseQuery(text)
  const end = endOf(query, now)
  return sheets(query, [], { tables, now, end }).map(({ name, lines }) => ({
    name,
    lines: lines
      .map(({ fields, points }) => ({
        fields: Object.fromEntries(fields),
        points: points.map(({ start, time, values }) => [start, time, ...values.map(jsonNumber)].map(plain)),
      }))
      .sort(byFields),
  }))
}

/** The evaluator's answer in the same form. */
export function comparable(tables: readonly OxqlTable[]): unknown[] {
  return tables.map(({ name, timeseries }) => ({
    name,
    lines: timeseries
      .map(({ fields, points }) => ({
        fields,
        points: points.timestamps.map((time, index) => [
          points.start_times ? micros(points.start_times[index] ?? '') : undefined,
          micros(time),
          ...points.values.map(({ values }) => values.values[index]),
        ]),
      }))
      .sort(byFields),
  }))
}

const byFields = (left: { fields: Fields }, right: { fields: Fields }): number =>
  JSON.stringify(left.fields) < JSON.stringify(right.fields) ? -1 : 1
const micros = (text: string): number => Date.parse(`${text.slice(0, 19)}Z`) * 1000 + fraction(text)
const fraction = (text: string): number => Number((/\.(\d+)Z/.exec(text)?.[1] ?? '').padEnd(6, '0'))
const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)
const jsonNumber = (value: Datum): Datum => (typeof value === 'bigint' ? Number(value) : value)

interface World {
  tables: readonly StoredTable[]
  now: number
  end: bigint
}

function sheets({ from, operations }: Query, outer: readonly Operation[], world: World): Sheet[] {
  const start =
    from.kind === 'get'
      ? [fetched(from.name, [...operations, ...outer], world)]
      : from.members.flatMap((member) => sheets(member, [...operations, ...outer], world))
  return operations.reduce((sheets, operation) => apply(operation, sheets, world), start)
}

function fetched(name: string, chain: readonly Operation[], { tables, now }: World): Sheet {
  const stored = tables.find(({ schema }) => schema.timeseries_name === name)?.timeseries ?? []
  // Filters up to the first limit select what is loaded; data do not exist yet, so what they say is open.
  const firstLimit = chain.findIndex(({ kind }) => kind === 'limit')
  const reaching = firstLimit === -1 ? chain : chain.slice(0, firstLimit)
  const lines = stored.map((one): Line => {
    let points = raw(one).filter((point) =>
      reaching.every(
        (operation) =>
          operation.kind !== 'filter' ||
          verdict(operation.expression, one.fields, point, now, true) !== false,
      ),
    )
    const limit = loadLimit(chain)
    if (limit) points = cut(points, limit.kind, limit.count)
    return {
      fields: Object.entries(one.fields).sort(([a], [b]) => (a < b ? -1 : 1)),
      points: asDeltas(points),
    }
  })
  return { name, lines: lines.filter(({ points }) => points.length > 0) }
}

const raw = ({ start_times, timestamps, values }: StoredTimeseries): Point[] =>
  timestamps.map((time, index) => ({
    ...(start_times && { epoch: BigInt(start_times[index] ?? 0) }),
    time: BigInt(time),
    values: [values[index] ?? null],
  }))

const cut = <Item>(items: Item[], kind: 'first' | 'last', count: number): Item[] =>
  items.filter((_, index) => (kind === 'first' ? index < count : index >= items.length - count))

/** Tries each limit in turn: which of them reaches the samples, by the reference's table of what it crosses. */
function loadLimit(chain: readonly Operation[]): { kind: 'first' | 'last'; count: number } | undefined {
  const reaching = chain.flatMap((operation, index) => {
    if (operation.kind !== 'limit') return []
    const { kind } = operation.limit
    const free = chain.slice(0, index).every((inner) => {
      if (inner.kind === 'limit') return inner.limit.kind === kind
      return (
        inner.kind !== 'filter' || timesIn(inner.expression, false).every((sign) => sign === wanted[kind])
      )
    })
    return free ? [operation.limit] : []
  })
  const [first] = reaching
  return first && { kind: first.kind, count: Math.min(...reaching.map(({ count }) => count)) }
}
const wanted = { first: 'below', last: 'above' }

/** On which side of its time each time comparison is, as it is effective. */
function timesIn(expression: Expression, flipped: boolean): string[] {
  if (expression.kind === 'not') return timesIn(expression.of, !flipped)
  if (expression.kind === 'xor')
    return [false, true].flatMap((flip) => expression.of.flatMap((one) => timesIn(one, flip)))
  if (expression.kind !== 'comparison') return expression.of.flatMap((one) => timesIn(one, flipped))
  if (expression.identifier === 'start_time') return ['epoch']
  if (expression.identifier !== 'timestamp') return []
  const { operator } = expression
  if (operator === '==' || operator === '!=') return ['neither']
  return [operator.startsWith('<') === flipped ? 'above' : 'below']
}

function asDeltas(points: Point[]): Point[] {
  if (points[0]?.epoch === undefined) return points
  return points.map((point, index) => {
    const earlier = points.slice(0, index).filter(({ epoch }) => epoch === point.epoch)
    const base = earlier.findLast(({ values }) => values[0] !== null)?.values[0] ?? null
    const value = point.values[0] ?? null
    return {
      ...point,
      ...(point.epoch !== undefined && { start: earlier.at(-1)?.time ?? point.epoch }),
      values: [value === null || base === null ? value : minus(value, base)],
    }
  })
}

function minus(value: Datum, base: Datum): Datum {
  if (typeof value === 'object' && value && typeof base === 'object' && base) {
    const count = ({ counts }: Distribution): number => counts.reduce((sum, one) => sum + one, 0)
    const mean = (one: Distribution): number => (count(one) ? one.sum_of_samples / count(one) : 0)
    return {
      bins: value.bins,
      min: null,
      max: null,
      p50: null,
      p90: null,
      p99: null,
      counts: value.counts.map((one, at) => one - (base.counts[at] ?? 0)),
      sum_of_samples: value.sum_of_samples - base.sum_of_samples,
      squared_mean: (mean(value) - mean(base)) ** 2,
    }
  }
  if (typeof value === 'bigint' && typeof base === 'bigint') return value - base
  return Number(value) - Number(base)
}

function apply(operation: Operation, input: Sheet[], world: World): Sheet[] {
  const each = (change: (line: Line) => Point[]): Sheet[] =>
    input.map(({ name, lines }) => ({
      name,
      lines: lines
        .map((line) => ({ fields: line.fields, points: change(line) }))
        .filter(({ points }) => points.length > 0),
    }))
  switch (operation.kind) {
    case 'filter':
      return each(({ fields, points }) =>
        points.filter(
          (point) =>
            verdict(operation.expression, Object.fromEntries(fields), point, world.now, false) === true,
        ),
      )
    case 'limit':
      return each(({ points }) => cut(points, operation.limit.kind, operation.limit.count))
    case 'align':
      return each(({ points }) => alignedPoints(points, BigInt(operation.period), world.end))
    case 'group_by':
      return input.map(({ name, lines }) => ({
        name,
        lines: groupedLines(lines, operation.fields, operation.reducer),
      }))
    case 'join':
      return [{ name: input.map(({ name }) => name).join(','), lines: joinedLines(input) }]
  }
}

function alignedPoints(points: Point[], period: bigint, end: bigint): Point[] {
  const outputs: Point[] = []
  for (let time = end; points[0] && time >= points[0].time; time -= period) {
    const from = time - period
    const inside = points.filter((point) => point.time > from && point.time <= time)
    let sum: number | null = null
    for (const { start, time: stop, values } of points) {
      const value = values[0] ?? null
      const low = start === undefined || start < from ? from : start
      const high = stop < time ? stop : time
      const share =
        start === undefined || start === stop
          ? Number(stop > from && stop <= time)
          : Number(high - low) / Number(stop - start)
      if (value !== null && share > 0) sum = (sum ?? 0) + Number(value) * share
    }
    outputs.unshift({ time, values: [sum === null ? null : sum / Math.max(1, inside.length)] })
  }
  return outputs
}

function groupedLines(lines: Line[], names: readonly string[], reducer: 'mean' | 'sum'): Line[] {
  const kept = (line: Line) => line.fields.filter(([name]) => names.includes(name))
  const keys = [...new Set(lines.map((line) => JSON.stringify(kept(line))))]
  return keys.map((key) => {
    const members = lines.filter((line) => JSON.stringify(kept(line)) === key)
    const times = [...new Set(members.flatMap(({ points }) => points.map(({ time }) => time)))]
    return {
      fields: members[0] ? kept(members[0]) : [],
      points: times
        .sort((a, b) => Number(a - b))
        .map((time) => {
          const present = members
            .flatMap(({ points }) => points.filter((point) => point.time === time))
            .flatMap(({ values }) => (typeof values[0] === 'number' ? [values[0]] : []))
          const sum = present.reduce((total, one) => total + one, 0)
          const value = reducer === 'sum' ? sum : sum / present.length
          return { time, values: [present.length === 0 ? null : value] }
        }),
    }
  })
}

function joinedLines([first, ...rest]: Sheet[]): Line[] {
  const same = (one: Line) => (other: Line) => JSON.stringify(one.fields) === JSON.stringify(other.fields)
  for (const { lines } of rest)
    for (const line of lines) if (!first?.lines.some(same(line))) throw new Error('Join failed')
  return (first?.lines ?? []).flatMap((line) => {
    const others = rest.flatMap(({ lines }) => lines.filter(same(line)))
    const points = line.points.flatMap((point) => {
      const matching = others.flatMap((other) => other.points.filter(({ time }) => time === point.time))
      if (matching.length < others.length) return []
      return [{ ...point, values: [point, ...matching].flatMap(({ values }) => values) }]
    })
    return points.length === 0 ? [] : [{ fields: line.fields, points }]
  })
}

/**
 * Whether an expression holds. Undefined while loading, when it depends on data; and a comparison with a
 * missing value is false with or without a negation, which is what `isNegated` carries.
 */
function verdict(
  expression: Expression,
  fields: Fields,
  point: Point,
  now: number,
  isLoading: boolean,
  isNegated = false,
): boolean | undefined {
  const ask = (one: Expression, negated: boolean) => verdict(one, fields, point, now, isLoading, negated)
  if (expression.kind === 'not') return ask(expression.of, !isNegated)
  if (expression.kind === 'xor') {
    const [first, ...more] = expression.of
    if (!first) return isNegated
    if (more.length === 0) return ask(first, isNegated)
    const rest: Expression = { kind: 'xor', of: more }
    return anyHolds([
      allHold([ask(first, false), ask(rest, !isNegated)]),
      allHold([ask(first, true), ask(rest, isNegated)]),
    ])
  }
  if (expression.kind !== 'comparison') {
    const answers = expression.of.map((one) => ask(one, isNegated))
    return (expression.kind === 'or') === isNegated ? allHold(answers) : anyHolds(answers)
  }
  const { identifier, operator, literal } = expression
  if (identifier === 'datum') {
    if (isLoading) return undefined
    const value = point.values[0] ?? null
    return value !== null && relation(operator, value, wantedValue(literal, now)) !== isNegated
  }
  const value =
    identifier === 'timestamp'
      ? point.time
      : identifier === 'start_time'
        ? point.epoch
        : fields[identifier]?.value
  return relation(operator, value ?? null, wantedValue(literal, now)) !== isNegated
}

const allHold = (answers: (boolean | undefined)[]): boolean | undefined =>
  answers.includes(false) ? false : answers.includes(undefined) ? undefined : true
const anyHolds = (answers: (boolean | undefined)[]): boolean | undefined =>
  answers.includes(true) ? true : answers.includes(undefined) ? undefined : false

function wantedValue({ type, value }: Literal, now: number): Datum {
  if (type !== 'timestamp') return value
  return BigInt(value.offset + (value.from === 'now' ? now : 0))
}

function relation(operator: string, value: Datum, other: Datum): boolean {
  if (value === null || other === null) return false
  if (operator === '~=')
    return typeof other === 'string' && typeof value === 'string' && new RegExp(other).test(value)
  const order = value < other ? -1 : value > other ? 1 : 0
  const sides: Record<string, number[]> = {
    '==': [0],
    '!=': [-1, 1],
    '<': [-1],
    '<=': [-1, 0],
    '>': [1],
    '>=': [0, 1],
  }
  return sides[operator]?.includes(order) ?? false
}

function endOf(query: Query, now: number): bigint {
  const found: number[] = []
  const look = (expression: Expression): void => {
    if (expression.kind === 'not') look(expression.of)
    else if (expression.kind !== 'comparison') expression.of.forEach(look)
    else if (expression.identifier === 'timestamp' && /^(<|<=|==)$/.test(expression.operator))
      found.push(Number(wantedValue(expression.literal, now)))
  }
  const walk = ({ from, operations }: Query): void => {
    for (const operation of operations) if (operation.kind === 'filter') look(operation.expression)
    if (from.kind === 'group') from.members.forEach(walk)
  }
  walk(query)
  return BigInt(found.sort((a, b) => b - a)[0] ?? now)
}
