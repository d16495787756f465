import { isLonger } from '@gantry/api/base/text.rules'
import { timeseriesQueryMax, tooLongAQuery } from '@gantry/api/metrics/metric.rules'
import { Cursor } from './cursor.ts'
import type { Limit } from './model.ts'
import { OxqlError } from './oxql-error.ts'
import { parseExpression } from './parse-expression.ts'
import { parseDuration } from './parse-duration.ts'
import { fieldName, identifier } from './patterns.ts'
import type { Get, Group, Operation, Query } from './syntax-tree.ts'

/** Over all subqueries. */
const maxOperations = 256

const reducers = ['mean', 'sum'] as const
const methods = ['mean_within', 'interpolate'] as const

/** Reads a query (grammar: reference B 20.3). */
export function parseQuery(text: string): Query {
  const trimmed = text.trim()
  if (isLonger(trimmed, timeseriesQueryMax)) throw new OxqlError(tooLongAQuery)
  // Positions count in the text as it was sent, which is what an editor shows.
  const cursor = new Cursor(text.trimEnd(), text.length - text.trimStart().length)
  const reader = new QueryReader(cursor)
  const query = reader.query()
  if (!cursor.atEnd) throw cursor.error()
  return query
}

class QueryReader {
  private operations = 0

  constructor(private readonly cursor: Cursor) {}

  query(): Query {
    const from = this.start()
    const operations: Operation[] = []
    while (this.cursor.takeAfterBlanks('|')) {
      this.cursor.blanks()
      operations.push(this.operation())
    }
    return { from, operations }
  }

  private start(): Get | Group {
    const { cursor } = this
    const at = cursor.at
    this.count()
    if (cursor.take('get')) {
      cursor.requireBlanks()
      const [target] = cursor.requireMatch(identifier, 'an identifier')
      cursor.require(':')
      const [metric] = cursor.requireMatch(identifier, 'an identifier')
      return { kind: 'get', name: `${target}:${metric}` }
    }
    if (cursor.take('{')) return cursor.deeper(() => this.group())
    if (/^(?:filter|align|group_by|join|first|last)\b/.test(cursor.text.slice(at, at + 10)))
      throw this.misplaced(at)
    throw cursor.error()
  }

  private group(): Group {
    const { cursor } = this
    const members: Query[] = []
    do {
      cursor.blanks()
      members.push(this.query())
    } while (cursor.takeAfterBlanks(';'))
    cursor.blanks()
    cursor.require('}')
    return { kind: 'group', members }
  }

  private operation(): Operation {
    const { cursor } = this
    const at = cursor.at
    this.count()
    if (cursor.take('filter')) {
      cursor.requireBlanks()
      const from = cursor.at
      const expression = parseExpression(cursor)
      return { kind: 'filter', expression, text: cursor.text.slice(from, cursor.at) }
    }
    if (cursor.take('align')) return this.align()
    if (cursor.take('group_by')) return this.groupBy()
    if (cursor.take('join')) return { kind: 'join' }
    if (cursor.take('first')) return { kind: 'limit', limit: this.limit('first') }
    if (cursor.take('last')) return { kind: 'limit', limit: this.limit('last') }
    if (/^(?:\{|get\b)/.test(cursor.text.slice(at, at + 4))) throw this.misplaced(at)
    throw cursor.error()
  }

  private align(): Operation {
    const { cursor } = this
    cursor.requireBlanks()
    const method = methods.find((one) => cursor.take(one))
    if (!method) throw cursor.error()
    cursor.require('(')
    const at = cursor.at
    const period = parseDuration(cursor)
    if (period === undefined) throw cursor.error()
    if (period <= 0 || !Number.isInteger(period))
      throw cursor.wrong('a duration of whole microseconds, longer than zero', at)
    cursor.require(')')
    return { kind: 'align', method, period }
  }

  private groupBy(): Operation {
    const { cursor } = this
    cursor.requireBlanks()
    cursor.require('[')
    cursor.blanks()
    const fields = this.names()
    cursor.take(',')
    cursor.blanks()
    cursor.require(']')
    return { kind: 'group_by', fields, reducer: this.reducer() ?? 'mean' }
  }

  private names(): string[] {
    const { cursor } = this
    const fields: string[] = []
    let name = cursor.match(fieldName, 'an identifier')
    while (name) {
      fields.push(name[0])
      const before = cursor.at
      if (cursor.takeAfterBlanks(',')) {
        cursor.blanks()
        name = cursor.match(fieldName, 'an identifier')
      } else name = undefined
      if (!name) cursor.at = before
    }
    return [...new Set(fields)]
  }

  private reducer(): (typeof reducers)[number] | undefined {
    const { cursor } = this
    if (!cursor.takeAfterBlanks(',')) return undefined
    cursor.blanks()
    const reducer = reducers.find((one) => cursor.take(one))
    if (!reducer) throw cursor.error()
    return reducer
  }

  private limit(kind: Limit['kind']): Limit {
    const { cursor } = this
    cursor.requireBlanks()
    const at = cursor.at
    const count = Number(cursor.requireMatch(/\d+/y, 'an integer')[0])
    if (count < 1 || !Number.isSafeInteger(count))
      throw cursor.wrong(`an integer from 1 to ${Number.MAX_SAFE_INTEGER}`, at)
    return { kind, count }
  }

  private count(): void {
    this.operations++
    if (this.operations > maxOperations)
      throw this.cursor.wrong(`at most ${maxOperations} operations`, this.cursor.at)
  }

  private misplaced(at: number): OxqlError {
    return this.cursor.wrong('every subquery must start with a `get` operation', at)
  }
}
