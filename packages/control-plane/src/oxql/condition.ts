import type { FieldOperator, FieldTest, Micros } from './model.ts'
import { resolveMoment } from './moment.ts'
import { OxqlError } from './oxql-error.ts'
import type { Comparison, Expression, Literal } from './syntax-tree.ts'

/**
 * A filter without negation and exclusive or, both of which are pushed into the tests. That is what makes
 * a missing value fail `!(datum == 1)` as it fails `datum != 1`.
 */
export type Condition =
  | { kind: 'or'; of: readonly Condition[] }
  | { kind: 'and'; of: readonly Condition[] }
  | Test

export type Test =
  | { kind: 'field'; test: FieldTest }
  | { kind: 'time'; column: 'timestamp' | 'start_time'; operator: TimeOperator; at: Micros }
  | { kind: 'datum'; operator: FieldOperator; value: Exclude<Literal, { type: 'timestamp' }> }
export type TimeOperator = Exclude<FieldOperator, '~=' | '!~='>

const maxLevels = 32
const maxSteps = 32
const opposites: Record<FieldOperator, FieldOperator> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  '~=': '!~=',
  '!~=': '~=',
}

export const tooComplicated = (): OxqlError =>
  new OxqlError('Logical expression is too complicated to simplify')

export const always: Condition = { kind: 'and', of: [] }
export const isAlways = (condition: Condition): boolean =>
  condition.kind === 'and' && condition.of.length === 0

/** Counts the rewriting of one filter, which the reference bounds (B 20.7). */
export class Rewriting {
  private steps = 0
  step(): void {
    if (++this.steps > maxSteps) throw tooComplicated()
  }
}

/** The single tests of a condition. */
export const testsOf = (condition: Condition): Test[] =>
  condition.kind === 'or' || condition.kind === 'and' ? condition.of.flatMap(testsOf) : [condition]

/** An expression as a condition; every exclusive or doubles what is below it, hence the bounds. */
export function conditionOf(expression: Expression, now: Micros, rewriting: Rewriting): Condition {
  // One test for a comparison, however often rewriting repeats it: each regular expression has its own bound.
  const tests = { plain: new Map<Comparison, Test>(), negated: new Map<Comparison, Test>() }
  function testFor(comparison: Comparison, isNegated: boolean): Test {
    const known = tests[isNegated ? 'negated' : 'plain']
    const test = known.get(comparison) ?? testOf(comparison, isNegated, now)
    known.set(comparison, test)
    return test
  }

  function rewrite(part: Expression, isNegated: boolean, level: number): Condition {
    if (level > maxLevels)
      throw new OxqlError(
        'Maximum recursion level exceeded trying to simplify logical expression to disjunctive normal form',
      )
    switch (part.kind) {
      case 'comparison':
        return testFor(part, isNegated)
      case 'not':
        return rewrite(part.of, !isNegated, level + 1)
      case 'xor':
        return either(part.of, isNegated, level)
      default: {
        if (isNegated) rewriting.step()
        const kind = (part.kind === 'and') === isNegated ? 'or' : 'and'
        return joined(
          kind,
          part.of.map((one) => rewrite(one, isNegated, level + 1)),
        )
      }
    }
  }

  function either(of: readonly Expression[], isNegated: boolean, level: number): Condition {
    const [first, ...rest] = of
    if (!first) return always
    if (rest.length === 0) return rewrite(first, isNegated, level + 1)
    rewriting.step()
    return joined('or', [
      joined('and', [rewrite(first, false, level + 1), either(rest, !isNegated, level + 1)]),
      joined('and', [rewrite(first, true, level + 1), either(rest, isNegated, level + 1)]),
    ])
  }

  return rewrite(expression, false, 1)
}

/** Nested conditions of the same kind become one. */
export function joined(kind: 'or' | 'and', of: readonly Condition[]): Condition {
  if (kind === 'or' && of.some(isAlways)) return always
  const flat = of.flatMap((one) => (one.kind === kind ? one.of : [one]))
  return flat.length === 1 && flat[0] ? flat[0] : { kind, of: flat }
}

function testOf({ identifier, operator, literal }: Comparison, isNegated: boolean, now: Micros): Test {
  const effective = isNegated ? opposites[operator] : operator
  if (literal.type === 'timestamp') {
    if ((identifier === 'timestamp' || identifier === 'start_time') && isTimeOperator(effective))
      return { kind: 'time', column: identifier, operator: effective, at: resolveMoment(literal.value, now) }
    throw new OxqlError(`"${identifier}" cannot be compared with a timestamp by ${operator}`)
  }
  if (identifier === 'datum') return { kind: 'datum', operator: effective, value: literal }
  if (literal.type === 'duration' || literal.type === 'double')
    throw new OxqlError(`"${identifier}" cannot be compared with a ${literal.type}`)
  return { kind: 'field', test: { field: identifier, operator: effective, value: literal } }
}

const isTimeOperator = (operator: FieldOperator): operator is TimeOperator =>
  operator !== '~=' && operator !== '!~='
