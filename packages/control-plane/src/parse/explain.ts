import { firstOf } from '@gantry/api/base/text.rules'
import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** Words a failed parse as the API does: the path of the value, and its problem. */
export function explain(
  issues: readonly Issue[],
  input: unknown,
): { path: (string | number)[]; detail: string } {
  const issue = deepest(issues)
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)))
  return { path, detail: detailOf(issue, valueAt(input, path)) }
}

/** The union alternative that matched furthest gives the most useful message. */
function deepest(issues: readonly Issue[]): Issue {
  const [first] = issues
  if (!first) throw new Error('a failed parse without issues')
  if (first.code !== 'invalid_union' || first.errors.length === 0) return first
  const nested = first.errors
    .filter((alternative) => alternative.length > 0)
    .map((alternative) => {
      const inner = deepest(alternative)
      return { ...inner, path: [...first.path, ...inner.path] }
    })
  return nested.reduce(
    (best, issue) => (issue.path.length > best.path.length ? issue : best),
    nested[0] ?? first,
  )
}

function detailOf(issue: Issue, value: unknown): string {
  const name = String(issue.path.at(-1) ?? '')
  if (
    value === undefined &&
    (issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union')
  )
    return `missing field \`${name}\``
  switch (issue.code) {
    case 'invalid_type':
      return `invalid type: ${described(value)}, expected ${wanted(issue.expected)}`
    case 'invalid_value':
      if (typeof value !== typeof issue.values[0])
        return `invalid type: ${described(value)}, expected ${wanted(typeof issue.values[0])}`
      return (
        custom(issue) ??
        `unknown variant \`${shortened(value)}\`, expected ${variants(issue.values.map(String))}`
      )
    case 'invalid_union': {
      const { options } = issue as { options?: unknown[] }
      if (options && typeof value !== 'string') return `invalid type: ${described(value)}, expected a string`
      if (options) return `unknown variant \`${shortened(value)}\`, expected ${variants(options.map(String))}`
      return `invalid value: ${described(value)}`
    }
    case 'too_small':
    case 'too_big':
      return custom(issue) ?? `invalid value: ${described(value)}, expected ${bound(issue)}`
    default:
      return issue.message
  }
}

/** Our schemas use full sentences where the reference has its own wording; zod's defaults are not shown. */
const custom = (issue: Issue): string | undefined =>
  /^(Invalid|Too )/.test(issue.message) ? undefined : issue.message

/** The received value, truncated for the response. */
const shortened = (value: unknown): string => firstOf(String(value), 100)

const variants = (all: string[]): string =>
  all.length === 2
    ? `\`${all[0]}\` or \`${all[1]}\``
    : `one of ${all.map((variant) => `\`${variant}\``).join(', ')}`

function bound(issue: Issue): string {
  if (issue.code === 'too_small') return `at least ${issue.minimum}`
  return issue.code === 'too_big' ? `at most ${issue.maximum}` : ''
}

const wanted = (type: string): string =>
  ({
    string: 'a string',
    number: 'a number',
    int: 'an integer',
    boolean: 'a boolean',
    array: 'a sequence',
    object: 'a map',
  })[type] ?? type

function described(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'sequence'
  switch (typeof value) {
    case 'string':
      return `string ${JSON.stringify(firstOf(value, 100))}`
    case 'number':
      return `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``
    case 'boolean':
      return `boolean \`${value}\``
    default:
      return 'map'
  }
}

function valueAt(input: unknown, path: readonly (string | number)[]): unknown {
  let value = input
  for (const part of path) value = (value as Record<string | number, unknown> | null | undefined)?.[part]
  return value
}

/** Line and column of a value in its JSON text, which end the message; the end of the text when unknown. */
export function locate(text: string, path: readonly (string | number)[]): { line: number; column: number } {
  let from = 0
  for (const part of path) {
    if (typeof part !== 'string') continue
    const at = text.indexOf(JSON.stringify(part), from)
    if (at < 0) break
    from = at + part.length + 2
  }
  const upTo = text.slice(0, path.length > 0 && from > 0 ? from : text.length).split('\n')
  return { line: upTo.length, column: upTo.at(-1)?.length ?? 0 }
}
