import type { Cursor } from './cursor.ts'
import { parseLiteral } from './parse-literal.ts'
import { fieldName } from './patterns.ts'
import type { Comparison, ComparisonOperator, Expression } from './syntax-tree.ts'

/** Longer operators first, so that `>=` is not read as `>`. */
const operators: readonly ComparisonOperator[] = ['==', '!=', '>=', '>', '<=', '<', '~=']

/** The binary operators, from the loosest to the tightest. */
const levels = [
  { kind: 'or', token: '||' },
  { kind: 'and', token: '&&' },
  { kind: 'xor', token: '^' },
] as const

export const parseExpression = (cursor: Cursor): Expression => chain(cursor, 0)

function chain(cursor: Cursor, depth: number): Expression {
  const level = levels[depth]
  if (!level) return unary(cursor)
  const first = chain(cursor, depth + 1)
  const rest: Expression[] = []
  while (cursor.takeAfterBlanks(level.token)) {
    cursor.blanks()
    rest.push(chain(cursor, depth + 1))
  }
  return rest.length === 0 ? first : { kind: level.kind, of: [first, ...rest] }
}

function unary(cursor: Cursor): Expression {
  if (cursor.take('!')) {
    cursor.blanks()
    return { kind: 'not', of: cursor.deeper(() => unary(cursor)) }
  }
  if (cursor.take('(')) {
    cursor.blanks()
    const inner = cursor.deeper(() => chain(cursor, 0))
    cursor.blanks()
    cursor.require(')')
    return inner
  }
  return comparison(cursor)
}

function comparison(cursor: Cursor): Comparison {
  const [name] = cursor.requireMatch(fieldName, 'an identifier')
  cursor.blanks()
  const at = cursor.at
  const operator = operators.find((one) => cursor.take(one))
  if (!operator) throw cursor.error()
  if (operator === '~=') cursor.countPattern(at)
  cursor.blanks()
  return { kind: 'comparison', identifier: name, operator, literal: parseLiteral(cursor) }
}
