import { shownBytes } from '@gantry/api/base/bytes.rules'
import { mistake } from './failure.ts'
import { isBytes, propertiesOf, type Schema } from './schema.ts'
import { printable, type Terminal } from './terminal.ts'

type Item = Readonly<Record<string, unknown>>

/** Columns that a table omits unless it is asked for them. */
const omitted = /^(?:description|time_modified|.*_id)$/

/** One line for each item, aligned, as wide as the terminal. */
export function tableOf(
  items: readonly unknown[],
  schema: Schema | undefined,
  { columns: width, isColoured }: Pick<Terminal, 'columns' | 'isColoured'>,
  asked: readonly string[] = [],
): string {
  const rows = items.map((item) => itemOf(item))
  const bytes = bytesOf(schema)
  const names = asked.length > 0 ? askedColumns(asked, rows, schema) : columnsOf(rows, schema)
  const cells = [names.map(headOf), ...rows.map((row) => names.map((name) => shown(name, row, bytes)))]
  const widths = names.map((_, at) => Math.max(...cells.map((line) => lengthOf(line[at] ?? ''))))
  const kept = asked.length > 0 || width === undefined ? names.length : fitting(widths, width)
  return cells
    .map((line, at) => {
      const text = line
        .slice(0, kept)
        .map((cell, column) => (column === kept - 1 ? cell : padded(cell, widths[column] ?? 0)))
        .join(gap)
        .trimEnd()
      const cut = width === undefined || asked.length > 0 ? text : shortened(text, width)
      return at === 0 && isColoured ? `\u001b[1m${cut}\u001b[22m\n` : `${cut}\n`
    })
    .join('')
}

/** One line for each field of an object. */
export function recordOf(
  value: unknown,
  schema: Schema | undefined,
  { isColoured }: Pick<Terminal, 'isColoured'>,
): string {
  const item = itemOf(value)
  const bytes = bytesOf(schema)
  const names = Object.keys(item)
  const width = Math.max(0, ...names.map((name) => name.length))
  return names
    .map((name) => {
      const label = padded(name, width)
      return `${isColoured ? `\u001b[1m${label}\u001b[22m` : label}${gap}${shown(name, item, bytes)}`.trimEnd()
    })
    .map((line) => `${line}\n`)
    .join('')
}

const gap = '  '
const charactersOf = (text: string): string[] => Array.from(text)
const lengthOf = (text: string): number => charactersOf(text).length
const headOf = (name: string): string => name.toUpperCase()
const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - lengthOf(text)))
const shortened = (text: string, width: number): string =>
  lengthOf(text) <= width
    ? text
    : `${charactersOf(text)
        .slice(0, Math.max(1, width - 1))
        .join('')}…`

/** How many columns fit; one always does. */
function fitting(widths: readonly number[], width: number): number {
  let used = 0
  const fits = widths.findIndex((column, at) => {
    used += column + (at > 0 ? gap.length : 0)
    return used > width && at > 0
  })
  return fits === -1 ? widths.length : fits
}

const itemOf = (value: unknown): Item =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Item) : { value }

function columnsOf(rows: readonly Item[], schema: Schema | undefined): string[] {
  const described = propertiesOf(schema).map(([name]) => name)
  const names = described.length > 0 ? described : [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const plain = names.filter((name) => !omitted.test(name) && rows.every((row) => isPlain(row[name])))
  const filled = rows.length === 0 ? plain : plain.filter((name) => rows.some((row) => !isEmpty(row[name])))
  const first: string[] = filled.filter((name) => name === 'name' || name === 'display_name')
  // An id is what a person types if there is no name.
  const rest = filled.filter((name) => !first.includes(name) && (name !== 'id' || first.length === 0))
  const all = [...first, ...rest]
  return all.length > 0 ? all : names.slice(0, 1)
}

function askedColumns(asked: readonly string[], rows: readonly Item[], schema: Schema | undefined): string[] {
  const known = new Set([
    ...propertiesOf(schema).map(([name]) => name),
    ...rows.flatMap((row) => Object.keys(row)),
  ])
  const names = asked.map((name) => name.toLowerCase())
  const unknown = names.find((name) => known.size > 0 && !known.has(name))
  if (unknown !== undefined)
    throw mistake(`There is no column ${unknown}. There are ${[...known].join(', ')}.`)
  return names
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0)

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object'

/** A state is an object for some kinds: `{ "state": "attached", "instance": … }`. */
const stateOf = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && 'state' in value && isScalar(value.state)
    ? value.state
    : undefined

const isPlain = (value: unknown): boolean =>
  value === undefined ||
  isScalar(value) ||
  stateOf(value) !== undefined ||
  (Array.isArray(value) && value.every(isScalar))

const bytesOf = (schema: Schema | undefined): ReadonlySet<string> =>
  new Set(propertiesOf(schema).flatMap(([name, property]) => (isBytes(property) ? [name] : [])))

const time = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/

function shown(name: string, row: Item, bytes: ReadonlySet<string>): string {
  const value = row[name]
  if (isEmpty(value)) return '-'
  if (typeof value === 'number' && bytes.has(name)) return shownBytes(value)
  if (typeof value === 'string') return printable(value.replace(time, '$1 $2Z'))
  if (Array.isArray(value) && value.every(isScalar)) return printable(value.join(', '))
  const state = stateOf(value) ?? value
  return printable(typeof state === 'string' ? state : JSON.stringify(state))
}
