import { addressKey } from '@gantry/api/network/ip-pool.rules'
import { parseIp } from '@gantry/api/base/ip.rules'
import { type Comparable, compare, relations } from './compare.ts'
import type { Alternative, FieldOperator, Fields, FieldTest, TimeRange } from './model.ts'
import { canonicalUuid } from './parse-literal.ts'
import { matcher } from './regex/matcher.ts'

interface ValueTest {
  operator: FieldOperator
  value: { type: string; value: Comparable }
}

/** Compiled once for each test, because a regular expression has a bound for the whole query. */
const compiled = new WeakMap<ValueTest, (value: Comparable) => boolean>()

/** Whether a timeseries passes one test of its fields. */
export function passes(test: FieldTest, fields: Fields): boolean {
  const field = fields[test.field]
  return field !== undefined && predicateOf(test)(sortable(field.value, field.type))
}

/** Which values of a field, or of a point, satisfy a comparison. */
export function predicateOf(test: ValueTest): (value: Comparable) => boolean {
  let predicate = compiled.get(test)
  if (!predicate) {
    predicate = compile(test)
    compiled.set(test, predicate)
  }
  return predicate
}

function compile({ operator, value: { type, value: wanted } }: ValueTest): (value: Comparable) => boolean {
  if (operator === '~=' || operator === '!~=') {
    const matches = matcher(String(wanted))
    return (value) => matches(String(value)) === (operator === '~=')
  }
  const relation = relations[operator]
  const limit = sortable(wanted, type)
  return (value) => relation(compare(value, limit))
}

/** UUIDs and addresses have several spellings, and addresses an order that is not that of their text. */
function sortable(value: Comparable, type: string): Comparable {
  if (typeof value !== 'string') return value
  if (type === 'uuid') return canonicalUuid(value)
  const address = type === 'ip_addr' ? parseIp(value) : undefined
  return address ? addressKey(address) : value
}

/** The samples that a request needs of one timeseries; undefined: none of them. */
export function rangeFor({ any }: { any: readonly Alternative[] }, fields: Fields): TimeRange | undefined {
  let range: TimeRange | undefined
  for (const { tests, from, to } of any)
    if (tests.every((test) => passes(test, fields)))
      range = { from: Math.min(from, range?.from ?? from), to: Math.max(to, range?.to ?? to) }
  return range
}
