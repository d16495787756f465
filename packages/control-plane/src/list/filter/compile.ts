import { fieldsOf, type FilteredKind } from '@gantry/api/filter/list-kinds.rules'
import { type Condition, readFilter } from '@gantry/api/filter/filter.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { literally } from '../../db/like.ts'
import { plannedEachTime } from '../../db/planned-each-time.js'
import { invalidValue, type Refusal } from '../../context/refusal.ts'
import { tableOf, idWithin, isExact, isNarrow } from './columns.ts'
import type { Place } from './place.ts'

type Sql = RawBuilder<unknown>

/** A filter as SQL. */
export interface Compiled {
  /** The condition on alias `t`, whose statement is planned each time; undefined where everything matches. */
  condition: Sql | undefined
  /** Whether it looks up other objects that may be many: the planner cannot tell. */
  isRelated: boolean
  /** The sort mode that the filter names. */
  sort: string | undefined
}

/** Reads a filter and translates it for the rows of alias `t` in a place. */
export function compileFilter(
  cx: Cx,
  kind: FilteredKind,
  text: string | null | undefined,
  place: Place,
): Compiled {
  const read = readFilter(kind, text ?? '', cx.now().getTime())
  if (read.problem) throw badFilter(read.problem.message, read.problem)
  const { condition, sort } = read
  const isRelated = condition !== undefined && looksUp(kind, condition)
  return {
    condition: condition && sql`${sql.raw(plannedEachTime)} ${conditionOf(kind, condition, place)}`,
    isRelated,
    sort,
  }
}

/** A refusal that says where in the filter the problem is. */
export function badFilter(message: string, { from, to }: { from: number; to: number }): Refusal {
  const refusal = invalidValue('filter', message, message)
  return Object.assign(refusal, { extra: { ...refusal.extra, details: { from, to } } })
}

const ofOthers: ReadonlySet<string> = new Set(['relation', 'address', 'mac', 'tag'])

function looksUp(kind: FilteredKind, condition: Condition): boolean {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.parts.some((part) => looksUp(kind, part))
    case 'not':
      return looksUp(kind, condition.part)
    case 'word':
      return condition.ip !== undefined && !isNarrow(condition.ip)
    case 'test': {
      const { field, test } = condition
      if (!test.none && test.of === 'address') return !test.ranges.every(isNarrow)
      if (!test.none && test.of === 'interval' && isExact(test.intervals)) return false
      return ofOthers.has(fieldsOf(kind)[field]?.type ?? '')
    }
    default:
      return condition satisfies never
  }
}

function conditionOf(kind: FilteredKind, condition: Condition, place: Place): Sql {
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const parts = condition.parts.map((part) => conditionOf(kind, part, place))
      return sql`(${sql.join(parts, condition.kind === 'all' ? sql` AND ` : sql` OR `)})`
    }
    case 'not':
      return sql`NOT coalesce(${conditionOf(kind, condition.part, place)}, false)`
    case 'word':
      return wordIs(kind, condition)
    case 'test': {
      const { field, test } = condition
      // Names no fact about sleds to other callers, not even that the field exists.
      if (fieldsOf(kind)[field]?.ofFleet && !place.isFleetViewer)
        throw badFilter(`Only operators can filter their lists by ${field}. Remove this term.`, {
          from: 0,
          to: 0,
        })
      const column = tableOf(kind).columns[field]
      if (!column) throw new Error(`the field ${field} of ${kind} has no column`)
      const meets = column.meets(test, place)
      return test.none && column.isLacking ? sql`(${column.isLacking} OR ${meets})` : meets
    }
    default:
      return condition satisfies never
  }
}

function wordIs(kind: FilteredKind, { pattern, ip, id }: Extract<Condition, { kind: 'word' }>): Sql {
  const { addresses, columns } = tableOf(kind)
  const like = `%${pattern.map(literally).join('%')}%`
  const ways = [
    sql`t.name LIKE ${like}`,
    ...(columns['description'] ? [sql`t.description ILIKE ${like}`] : []),
    ...(id ? [idWithin(id)] : []),
    ...(ip && addresses ? [addresses(ip)] : []),
  ]
  return sql`(${sql.join(ways, sql` OR `)})`
}
