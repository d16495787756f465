import { type Condition, isAlways, joined, type Test } from './condition.ts'
import { compare, relations } from './compare.ts'
import type { Fields } from './model.ts'
import { passes, predicateOf } from './select.ts'
import { pointsAt, type Series } from './series.ts'

/** The points of a timeseries that satisfy a condition; undefined when there are none. */
export function filtered(condition: Condition, series: Series): Series | undefined {
  const rest = forFields(condition, series.fields)
  if (isAlways(rest)) return series
  const holds = pointPredicate(rest, series)
  const positions: number[] = []
  for (let index = 0; index < series.timestamps.length; index++) if (holds(index)) positions.push(index)
  return pointsAt(series, positions)
}

/** The remaining condition on points once the fields are known. */
function forFields(condition: Condition, fields: Fields): Condition {
  if (condition.kind === 'field') return { kind: passes(condition.test, fields) ? 'and' : 'or', of: [] }
  if (condition.kind !== 'or' && condition.kind !== 'and') return condition
  const { kind } = condition
  const of = condition.of.map((one) => forFields(one, fields))
  const isNever = (one: Condition): boolean => one.kind === 'or' && one.of.length === 0
  if (kind === 'and') return of.some(isNever) ? { kind: 'or', of: [] } : joined('and', of)
  return joined('or', of)
}

function pointPredicate(condition: Condition, series: Series): (index: number) => boolean {
  if (condition.kind === 'or' || condition.kind === 'and') {
    const parts = condition.of.map((one) => pointPredicate(one, series))
    return condition.kind === 'or'
      ? (index) => parts.some((part) => part(index))
      : (index) => parts.every((part) => part(index))
  }
  return testPredicate(condition, series)
}

/** Only called where the type check found the column, and no field test is left. */
function testPredicate(test: Test, { epochs, timestamps, values }: Series): (index: number) => boolean {
  if (test.kind === 'field') return () => false
  if (test.kind === 'time') {
    const column = test.column === 'timestamp' ? timestamps : epochs
    const relation = relations[test.operator]
    return (index) => relation(compare(column?.[index] ?? NaN, test.at))
  }
  const predicate = predicateOf(test)
  const [column = []] = values
  return (index) => {
    const datum = column[index]
    return datum !== null && datum !== undefined && typeof datum !== 'object' && predicate(datum)
  }
}
