import type { TimeseriesDescription } from './timeseries-descriptions.ts'

/** A word that completes a query. */
interface Completion {
  word: string
  kind: 'operation' | 'function' | 'timeseries' | 'field' | 'time'
  description: string
}

interface Completions {
  /** The start of the word that a completion replaces. */
  from: number
  completions: readonly Completion[]
}

const completion =
  (kind: Completion['kind']) =>
  ([word, description]: readonly [string, string]): Completion => ({ word, kind, description })

const starts = ([['get', 'Reads a timeseries: get virtual_disk:reads']] as const).map(completion('operation'))

const operations = (
  [
    ['filter', 'Keeps matching points: filter timestamp > @now() - 1h && state == "run"'],
    ['align', 'Aligns points to common times: align mean_within(1m)'],
    ['group_by', 'Combines timeseries with equal fields: group_by [instance_id], sum'],
    ['join', 'Combines aligned tables of one group, point by point'],
    ['first', 'Keeps the first points of each timeseries: first 10'],
    ['last', 'Keeps the last points of each timeseries: last 10'],
  ] as const
).map(completion('operation'))

const alignments = (
  [
    ['mean_within', 'The mean within each period: mean_within(1m)'],
    ['interpolate', 'A line between the points before and after: interpolate(1m)'],
  ] as const
).map(completion('function'))

const reducers = (
  [
    ['mean', 'The mean of the combined timeseries'],
    ['sum', 'The sum of the combined timeseries'],
  ] as const
).map(completion('function'))

const times = (
  [
    ['@now()', 'The present'],
    ['@now() - 5m', 'Five minutes ago'],
    ['@now() - 1h', 'An hour ago'],
    ['@now() - 1d', 'A day ago'],
  ] as const
).map(completion('time'))

const pointFields = (
  [
    ['timestamp', 'timestamp: The time of a point'],
    ['start_time', 'timestamp: When the period of a counter’s point began'],
    ['datum', 'The value of a point'],
  ] as const
).map(completion('field'))

const nothing: readonly Completion[] = []

/** The completions at the end of `before`, the text up to the cursor. */
export function oxqlCompletions(before: string, known: readonly TimeseriesDescription[]): Completions {
  const masked = before.replaceAll(/"[^"]*"|'[^']*'/g, (quoted) => ' '.repeat(quoted.length))
  if (/["']/.test(masked)) return { from: before.length, completions: nothing }
  const word = /@?[\w:]*$/.exec(masked)?.[0] ?? ''
  const from = before.length - word.length
  const head = masked.slice(0, from)
  // An operation begins after the last of these; only `|` continues a query.
  const stageStart = Math.max(...['|', '{', ';'].map((mark) => lastAlone(head, mark))) + 1
  const stage = head.slice(stageStart).trimStart()
  const isContinued = head[stageStart - 1] === '|'
  return { from, completions: inStage(stage, isContinued, () => fieldsOf(masked, known), known) }
}

function inStage(
  stage: string,
  isContinued: boolean,
  fields: () => readonly Completion[],
  known: readonly TimeseriesDescription[],
): readonly Completion[] {
  if (stage === '') return isContinued ? operations : starts
  const operation = /^\w+/.exec(stage)?.[0]
  const rest = stage.replace(/^\w+\s*/, '')
  if (operation === 'get')
    return rest === ''
      ? known.map(({ name, description, units }) => ({
          word: name,
          kind: 'timeseries',
          description: units === 'none' ? description : `${description} (${units.replaceAll('_', ' ')})`,
        }))
      : nothing
  if (operation === 'align') return rest === '' ? alignments : nothing
  if (operation === 'group_by') {
    if (/\]\s*,\s*$/.test(rest)) return reducers
    return rest.includes(']') || !/(\[|,)\s*$/.test(rest) ? nothing : fields()
  }
  if (operation !== 'filter') return nothing
  if (/\b(timestamp|start_time)\s*[=!<>]=?\s*$/.test(rest)) return times
  return /(^|&&|\|\||[\^(!])\s*$/.test(rest) ? [...pointFields, ...fields()] : nothing
}

/** The last index of a single mark: `||` joins conditions. */
function lastAlone(text: string, mark: string): number {
  for (let at = text.lastIndexOf(mark); at >= 0; at = at === 0 ? -1 : text.lastIndexOf(mark, at - 1))
    if (text[at - 1] !== mark && text[at + 1] !== mark) return at
  return -1
}

/** The fields of the timeseries that the query reads, or of all timeseries if it names no known one. */
function fieldsOf(text: string, known: readonly TimeseriesDescription[]): Completion[] {
  const read = new Set(Array.from(text.matchAll(/\bget\s+([\w:]+)/g), ([, name]) => name))
  const matching = known.filter(({ name }) => read.has(name))
  const fields = new Map(
    (matching.length > 0 ? matching : known).flatMap((each) =>
      each.fields.map(({ name, type, description }) => [name, `${type}: ${description}`] as const),
    ),
  )
  return [...fields].map(completion('field'))
}
