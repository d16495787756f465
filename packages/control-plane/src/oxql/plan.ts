import { alternativesOf } from './alternatives.ts'
import { always, type Condition, conditionOf, joined, Rewriting, testsOf } from './condition.ts'
import type { Limit, Micros, ReadRequest } from './model.ts'
import { resolveMoment } from './moment.ts'
import { OxqlError } from './oxql-error.ts'
import { pushedLimit, type Step } from './pushed-limit.ts'
import type { Expression, FilterOperation, Get, Operation, Query } from './syntax-tree.ts'

/** The reading of one `get`. */
export interface GetPlan {
  request: Pick<ReadRequest, 'name' | 'any' | 'from' | 'to' | 'limit'>
  /** The condition for loading a sample; the request is as close to it as a source can express. */
  load: Condition
  /** The limit that applies at loading, whether or not the request could carry it. */
  limit: Limit | undefined
}

export interface Plan {
  gets: ReadonlyMap<Get, GetPlan>
  /** The end of the grid of alignments. */
  end: Micros
}

/** The readings of all `get`s. Types are checked before, by `check.ts`. */
export function planQuery(query: Query, now: Micros): Plan {
  const gets = new Map<Get, GetPlan>()
  const times: Micros[] = []

  function visit({ from, operations }: Query, following: readonly Operation[]): void {
    const chain = [...operations, ...following]
    for (const operation of operations)
      if (operation.kind === 'filter') {
        conditionOf(operation.expression, now, new Rewriting())
        collectEnds(operation.expression, now, times)
      }
    if (from.kind === 'get') gets.set(from, planGet(from, chain, now))
    else for (const member of from.members) visit(member, chain)
  }

  visit(query, [])
  return { gets, end: times.length === 0 ? now : Math.max(...times) }
}

function planGet({ name }: Get, chain: readonly Operation[], now: Micros): GetPlan {
  const rewriting = new Rewriting()
  const load = loadCondition(chain, now)
  const any = alternativesOf(load, rewriting)
  const limit = pushedLimit(stepsOf(chain, now))
  if (
    !limit &&
    any.some(({ tests, from, to }) => tests.length === 0 && from === -Infinity && to === Infinity)
  )
    if (!mentionsStartTime(load)) throw fullScan()
  const from = any.reduce((earliest, one) => Math.min(earliest, one.from), Infinity)
  const to = any.reduce((latest, one) => Math.max(latest, one.to), -Infinity)
  const isExact = !mentionsStartTime(load) && any.every((one) => one.from === from && one.to === to)
  return { request: { name, any, from, to, ...(limit && isExact && { limit }) }, load, limit }
}

function stepsOf(chain: readonly Operation[], now: Micros): Step[] {
  return chain.flatMap((operation): Step[] => {
    if (operation.kind === 'filter') return [{ kind: 'filter', condition: filterCondition(operation, now) }]
    return operation.kind === 'limit' ? [operation] : []
  })
}

const fullScan = (): OxqlError =>
  new OxqlError(
    'This query requires at least one full table scan. Filter on fields or timestamps to reduce the amount of data.',
    undefined,
    'Add a filter on a field or on timestamp after each `get`.',
  )

/** Filters move to the load step across everything but limits, which choose among what they are given. */
function loadCondition(chain: readonly Operation[], now: Micros): Condition {
  const parts: Condition[] = []
  let isAligned = false
  for (const operation of chain) {
    if (operation.kind === 'limit') break
    if (operation.kind === 'align') isAligned = true
    if (operation.kind !== 'filter') continue
    const condition = filterCondition(operation, now)
    parts.push(isAligned ? acrossAlignment(condition) : withoutDatum(condition))
  }
  return joined('and', parts)
}

export const filterCondition = ({ expression }: FilterOperation, now: Micros): Condition =>
  conditionOf(expression, now, new Rewriting())

/** Deltas and aligned values exist only after loading. */
function withoutDatum(condition: Condition): Condition {
  if (condition.kind === 'datum') return always
  if (condition.kind !== 'or' && condition.kind !== 'and') return condition
  return joined(condition.kind, condition.of.map(withoutDatum))
}

function acrossAlignment(condition: Condition): Condition {
  const parts = condition.kind === 'and' ? condition.of : [condition]
  return joined(
    'and',
    parts.filter((part) => {
      const kinds = new Set(testsOf(part).map(({ kind }) => kind === 'datum'))
      if (kinds.size > 1)
        throw new OxqlError('Cannot split a filter with disjunctions around an alignment table operation')
      return kinds.has(false)
    }),
  )
}

const mentionsStartTime = (condition: Condition): boolean =>
  testsOf(condition).some((test) => test.kind === 'time' && test.column === 'start_time')

/** The times before which a filter asks for samples, as they are written. */
function collectEnds(expression: Expression, now: Micros, times: Micros[]): void {
  if (expression.kind === 'not') collectEnds(expression.of, now, times)
  else if (expression.kind !== 'comparison') for (const one of expression.of) collectEnds(one, now, times)
  else if (
    expression.identifier === 'timestamp' &&
    expression.literal.type === 'timestamp' &&
    ['<', '<=', '=='].includes(expression.operator)
  )
    times.push(resolveMoment(expression.literal.value, now))
}
