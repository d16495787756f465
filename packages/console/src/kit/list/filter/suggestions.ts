// @chunk list-work: filters, totals and keys of lists, which are there once their rows are.
import { fieldsOf, type FilteredKind } from '@gantry/api/filter/list-kinds.rules'
import {
  type Filter,
  literalValue,
  parseFilter,
  printFilter,
  printTerm,
  type Term,
} from '@gantry/api/filter/filter-text.rules'
import { partsOf } from '@gantry/api/filter/filter.rules'

/** What could be typed at the end of a filter, in place of its last characters. */
export interface Suggested {
  /** What is there so far and would be replaced. */
  from: number
  options: readonly { text: string; label: string; detail?: string | undefined }[]
  /** The field whose values the server knows, and what they begin with. */
  values?: { field: string; prefix: string }
}

const examples: Readonly<Partial<Record<string, readonly [string, string][]>>> = {
  time: [
    ['<1h', 'in the last hour'],
    ['<1d', 'in the last day'],
    ['<7d', 'in the last 7 days'],
    ['>30d', 'more than 30 days ago'],
  ],
  flag: [
    [':yes', ''],
    [':no', ''],
  ],
}

/** Fields, and values that are the same for all: those of the server come later. */
export function suggestionsAt(kind: FilteredKind, text: string, seesFleet: boolean): Suggested | undefined {
  const fields = Object.fromEntries(
    Object.entries(fieldsOf(kind)).filter(([, { ofFleet }]) => seesFleet || !ofFleet),
  )
  const [, typed] = /(?:^|[\s(-])([a-z]*)$/i.exec(text) ?? []
  if (typed !== undefined) {
    const begun = typed.toLowerCase()
    const options = Object.entries(fields).flatMap(([name, { type, label }]) =>
      name.startsWith(begun)
        ? examples[type]
          ? []
          : [{ text: `${name}:`, label: `${name}:`, detail: label }]
        : [],
    )
    const times = Object.entries(fields).flatMap(([name, { type, label }]) =>
      name.startsWith(begun)
        ? (examples[type] ?? []).map(([value, words]) => ({
            text: `${name}${value} `,
            label: `${name}${value}`,
            detail: `${label} ${words}`.trim(),
          }))
        : [],
    )
    return begun === '' ? undefined : { from: text.length - typed.length, options: [...options, ...times] }
  }
  const [, name = '', sign, before = '', prefix = ''] =
    /(?:^|[\s(-])([a-z_]+)(:|=)((?:[^\s(),"]+,)*)([^\s(),"]*)$/i.exec(text) ?? []
  const field = Object.hasOwn(fields, name.toLowerCase()) ? fields[name.toLowerCase()] : undefined
  if (sign === undefined || !field) return undefined
  const from = text.length - prefix.length
  const known = (field.values ?? (field.type === 'flag' ? ['yes', 'no'] : [])).filter(
    (value) => value.startsWith(prefix.toLowerCase()) && !before.split(',').includes(value),
  )
  const none = field.canLack && 'none'.startsWith(prefix.toLowerCase()) && before === '' ? ['none'] : []
  return {
    from,
    options: [...known, ...none].map((value) => ({ text: value, label: value })),
    ...(field.isSuggested && { values: { field: name.toLowerCase(), prefix } }),
  }
}

/** A value of the server as it is written in a filter. */
export function valueText(kind: FilteredKind, field: string, value: string): string {
  if (fieldsOf(kind)[field]?.type !== 'bytes')
    return printTerm({ field: undefined, comparison: ':', values: [literalValue(value)] })
  const bytes = Number(value)
  const unit = bytes % 1024 ** 3 === 0 ? ([1024 ** 3, 'GiB'] as const) : ([1024 ** 2, 'MiB'] as const)
  return `${bytes / unit[0]}${unit[1]}`
}

/** The filter with one term for a field in place of those that it has for it; without any if `term` is empty. */
export function withTerm(text: string, field: string, term: string): string {
  const parsed = parseFilter(text)
  if (parsed.problem) return term === '' ? text : `${text} ${term}`.trim()
  const kept = partsOf(parsed.filter).filter((part) => !(part.kind === 'term' && part.field === field))
  const added = term === '' ? [] : partsOf(parseFilterOf(term))
  return printFilter({ filter: allOf([...kept, ...added]), sort: parsed.sort })
}

/** The filter without one of its terms, by its text. */
export function withoutTerm(text: string, term: string): string {
  const parsed = parseFilter(text)
  if (parsed.problem) return text
  const kept = partsOf(parsed.filter).filter((part) => printFilter({ filter: part }) !== term)
  return printFilter({ filter: allOf(kept), sort: parsed.sort })
}

/** The terms of a filter that can be removed one by one, its order last. */
export function chipsOf(text: string): string[] {
  const parsed = parseFilter(text)
  if (parsed.problem) return []
  const terms = partsOf(parsed.filter).map((part) => printFilter({ filter: part }))
  return parsed.sort ? [...terms, printFilter({ sort: parsed.sort })] : terms
}

/** The filter without the term at this place of its chips. */
export function withoutChip(text: string, index: number): string {
  const parsed = parseFilter(text)
  if (parsed.problem) return text
  const parts = partsOf(parsed.filter)
  const kept = parts.filter((_, each) => each !== index)
  return printFilter({ filter: allOf(kept), ...(index < parts.length && { sort: parsed.sort }) })
}

/** The only value that the filter demands of a field, `several` where it names more. */
export function termOf(text: string, field: string): Term | undefined {
  const parsed = parseFilter(text)
  if (parsed.problem) return undefined
  const terms = partsOf(parsed.filter).filter(
    (part): part is Term => part.kind === 'term' && part.field === field,
  )
  return terms.length === 1 ? terms[0] : undefined
}

function parseFilterOf(text: string): Filter | undefined {
  const parsed = parseFilter(text)
  return parsed.problem ? undefined : parsed.filter
}

const allOf = (parts: readonly Filter[]): Filter | undefined =>
  parts.length > 1 ? { kind: 'all', parts } : parts[0]
