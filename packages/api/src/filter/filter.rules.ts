import type { FieldType, FilterField } from './filter-field.rules.ts'
import { fieldsOf, type FilteredKind } from './list-kinds.rules.ts'
import {
  type Filter,
  type FilterProblem,
  type FilterValue,
  parseFilter,
  type Span,
  type Term,
} from './filter-text.rules.ts'
import {
  type AddressRange,
  type Interval,
  isProblem,
  type Pattern,
  patternOf,
  type Read,
  readAddresses,
  readBytes,
  readId,
  readInterval,
  readMac,
  readNumber,
  readTag,
  readTime,
  type TagPattern,
} from './filter-values.rules.ts'

/** What a term asks of its field; any of several values is enough. */
export type Test = { none: boolean } & (
  | { of: 'text'; patterns: readonly Pattern[] }
  | { of: 'choice'; values: readonly string[] }
  | { of: 'interval'; intervals: readonly Interval[] }
  | { of: 'address'; ranges: readonly AddressRange[] }
  | { of: 'id'; ranges: readonly { first: string; last: string }[] }
  | { of: 'flag'; isSet: boolean }
  | { of: 'tag'; tags: readonly TagPattern[] }
)

/** A filter whose fields and values are known to exist. */
export type Condition =
  | { kind: 'all' | 'any'; parts: readonly Condition[] }
  | { kind: 'not'; part: Condition }
  | {
      kind: 'word'
      pattern: Pattern
      ip: AddressRange | undefined
      id: { first: string; last: string } | undefined
    }
  | { kind: 'test'; field: string; test: Test }

export interface ReadFilter {
  condition: Condition | undefined
  /** The sort mode of the list, with its direction. */
  sort: string | undefined
}

export type FilterRead = ({ problem?: undefined } & ReadFilter) | { problem: FilterProblem }

class Wrong extends Error {
  constructor(
    readonly at: Span,
    message: string,
  ) {
    super(message)
  }
}

/** Reads a filter of a kind. Ages count from `now`, in milliseconds. */
export function readFilter(kind: FilteredKind, text: string, now: number): FilterRead {
  const parsed = parseFilter(text)
  if (parsed.problem) return { problem: parsed.problem }
  try {
    const { filter, sort } = parsed
    const fields = fieldsOf(kind)
    return {
      condition: filter && conditionOf(fields, filter, now),
      sort: sort && sortMode(fields, sort.field, sort.isDescending, sort),
    }
  } catch (error) {
    if (!(error instanceof Wrong)) throw error
    const { at, message } = error
    return { problem: { from: at.from, to: at.to, message } }
  }
}

export const filterProblem = (kind: FilteredKind, text: string): FilterProblem | undefined =>
  readFilter(kind, text, 0).problem

type Fields = Readonly<Record<string, FilterField>>

function conditionOf(fields: Fields, filter: Filter, now: number): Condition {
  switch (filter.kind) {
    case 'all':
    case 'any':
      return { kind: filter.kind, parts: filter.parts.map((part) => conditionOf(fields, part, now)) }
    case 'not':
      return { kind: 'not', part: conditionOf(fields, filter.part, now) }
    case 'term':
      return ofTerm(fields, filter, now)
    default:
      return filter satisfies never
  }
}

function ofTerm(fields: Fields, term: Term, now: number): Condition {
  if (term.field === undefined) return wordOf(term.values[0] ?? { text: '', isQuoted: true })
  const field = Object.hasOwn(fields, term.field) ? fields[term.field] : undefined
  if (!field) throw new Wrong(term, unknownField(fields, term.field))
  const given = { ...term, field: term.field }
  return { kind: 'test', field: term.field, test: testOf(field, given, now) }
}

/** A word finds what has it in its name or description, and addresses and ids that it is or begins. */
function wordOf({ text, isQuoted }: FilterValue): Condition {
  const ip = isQuoted ? undefined : readAddresses(text)
  // Any word can consist of hexadecimal digits, so only longer ones are taken for the beginning of an id.
  const id = isQuoted || text.length < 8 || text.includes('*') ? undefined : readId(text)
  return {
    kind: 'word',
    pattern: patternOf({ text, isQuoted }),
    ip: ip && !isProblem(ip) ? ip : undefined,
    id: id && !isProblem(id) ? id : undefined,
  }
}

function unknownField(fields: Fields, name: string): string {
  const near = Object.keys(fields).find((each) => each.startsWith(name) || name.startsWith(each))
  return near
    ? `There is no field ${name} here. Write ${near}: instead.`
    : `There is no field ${name} here. Use ${listed(Object.keys(fields))}, or put the text into quotes.`
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

type Given = Term & { field: string }

function testOf(field: FilterField, given: Given, now: number): Test {
  const isNone = ({ text, isQuoted }: FilterValue): boolean => !isQuoted && text.toLowerCase() === 'none'
  const none = field.canLack === true && given.values.some(isNone)
  const values = none ? given.values.filter((value) => !isNone(value)) : given.values
  if (given.comparison !== ':' && !isOrdered(field.type))
    throw new Wrong(
      given,
      `${given.field} has no order. Write ${given.field}:VALUE, such as ${field.example}.`,
    )
  if (given.comparison !== ':' && (none || given.values.length > 1))
    throw new Wrong(given, `Write one value behind ${given.field}${given.comparison}`)
  return { none, ...readers[field.type](field, given, values, now) }
}

const isOrdered = (type: FieldType): boolean => type === 'number' || type === 'bytes' || type === 'time'

type Reader = (
  field: FilterField,
  given: Given,
  values: readonly FilterValue[],
  now: number,
) => Test extends infer Each ? (Each extends Test ? Omit<Each, 'none'> : never) : never

/** The results of all values, or the first problem at its term. */
function each<Result extends object>(
  given: Given,
  values: readonly FilterValue[],
  read: (text: string, value: FilterValue) => Read<Result>,
): Result[] {
  return values.map((value) => {
    const result = read(value.text, value)
    if (isProblem(result)) throw new Wrong(given, result.problem)
    return result
  })
}

const patterns: Reader = (_field, _given, values) => ({ of: 'text', patterns: values.map(patternOf) })
const intervals =
  (read: (text: string, example: string) => Read<{ value: number }>): Reader =>
  ({ example }, given, values) => ({
    of: 'interval',
    intervals: each(given, values, (text) =>
      readInterval(given.field, given.comparison, text, (bound) => read(bound, example)),
    ),
  })

const readers: Readonly<Record<FieldType, Reader>> = {
  text: patterns,
  relation: patterns,
  number: intervals(readNumber),
  bytes: intervals(readBytes),
  time: (_field, given, values, now) => ({
    of: 'interval',
    intervals: each(given, values, (text) => readTime(given.field, given.comparison, text, now)),
  }),
  address: (_field, given, values) => ({ of: 'address', ranges: each(given, values, readAddresses) }),
  mac: (_field, given, values) => ({ of: 'interval', intervals: each(given, values, readMac) }),
  id: (_field, given, values) => ({ of: 'id', ranges: each(given, values, readId) }),
  choice: ({ values: known = [] }, given, values) => ({
    of: 'choice',
    values: values.map(({ text }) => {
      const value = text.toLowerCase().replaceAll(' ', '_')
      if (known.includes(value)) return value
      throw new Wrong(given, `There is no ${given.field} ${text}. Use ${listed(known)}.`)
    }),
  }),
  tag: (_field, given, values) => ({
    of: 'tag',
    tags: each(given, values, (_text, value) => readTag(value)),
  }),
  flag: (_field, given, [value, ...more]) => {
    const text = value?.text.toLowerCase()
    if (more.length > 0 || (text !== 'yes' && text !== 'no'))
      throw new Wrong(given, `Write ${given.field}:yes or ${given.field}:no.`)
    return { of: 'flag', isSet: text === 'yes' }
  },
}

/** The mode that sorts by a field. */
function sortMode(fields: Fields, name: string, isDescending: boolean, at: Span): string {
  const mode = Object.hasOwn(fields, name) ? fields[name]?.sortsAs : undefined
  if (mode !== undefined) return `${mode}_${isDescending ? 'descending' : 'ascending'}`
  const sortable = Object.keys(fields).filter((each) => fields[each]?.sortsAs !== undefined)
  throw new Wrong(at, `Lists cannot be sorted by ${name}. Use ${listed(sortable)}.`)
}

/** The terms of a filter that narrow it one by one. */
export const partsOf = (filter: Filter | undefined): readonly Filter[] =>
  filter === undefined ? [] : filter.kind === 'all' ? filter.parts : [filter]
