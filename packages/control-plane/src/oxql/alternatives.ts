import { type Condition, type Rewriting, type Test, tooComplicated } from './condition.ts'
import type { Alternative, TimeRange } from './model.ts'

/** More than one filter of the longest query can list. */
const maxAlternatives = 1024

const anyTime: TimeRange = { from: -Infinity, to: Infinity }

/**
 * A condition as alternatives of field tests and a time range. A start time bounds nothing here, because a
 * source selects by timestamp; the tests that are left to evaluation make no alternative wrong, only wider.
 */
export function alternativesOf(condition: Condition, rewriting: Rewriting): Alternative[] {
  switch (condition.kind) {
    case 'or':
      return bounded(condition.of.flatMap((one) => alternativesOf(one, rewriting)))
    case 'and':
      return condition.of
        .map((one) => alternativesOf(one, rewriting))
        .reduce(
          (left, right) => {
            if (left.length > 1 && right.length > 1) rewriting.step()
            if (left.length * right.length > maxAlternatives) throw tooComplicated()
            return left.flatMap((one) => right.map((other) => both(one, other)))
          },
          [{ ...anyTime, tests: [] }],
        )
        .filter(({ from, to }) => from < to)
    default:
      return ofTest(condition)
  }
}

function bounded(alternatives: Alternative[]): Alternative[] {
  if (alternatives.length > maxAlternatives) throw tooComplicated()
  return alternatives
}

const both = (one: Alternative, other: Alternative): Alternative => ({
  tests: [...one.tests, ...other.tests],
  from: Math.max(one.from, other.from),
  to: Math.min(one.to, other.to),
})

function ofTest(test: Test): Alternative[] {
  if (test.kind === 'field') return [{ ...anyTime, tests: [test.test] }]
  if (test.kind === 'datum' || test.column === 'start_time') return [{ ...anyTime, tests: [] }]
  return rangesOf(test).map((range) => ({ ...range, tests: [] }))
}

/** Times are whole microseconds, so that every comparison has exact bounds. */
function rangesOf({ operator, at }: Test & { kind: 'time' }): TimeRange[] {
  const before = { from: -Infinity, to: at }
  const after = { from: at + 1, to: Infinity }
  switch (operator) {
    case '<':
      return [before]
    case '<=':
      return [{ ...before, to: at + 1 }]
    case '>':
      return [after]
    case '>=':
      return [{ ...after, from: at }]
    case '==':
      return [{ from: at, to: at + 1 }]
    case '!=':
      return [before, after]
  }
}
