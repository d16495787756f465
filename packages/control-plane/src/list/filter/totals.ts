import { fieldsOf, type FilteredKind } from '@gantry/api/filter/list-kinds.rules'
import { parseFilter, printFilter } from '@gantry/api/filter/filter-text.rules'
import { partsOf } from '@gantry/api/filter/filter.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { invalidValue } from '../../context/refusal.ts'
import { literally } from '../../db/like.ts'
import { tableOf } from './columns.ts'
import { type Compiled, compileFilter } from './compile.ts'
import { type Asked, type Place, placeInProject, placeOf } from './place.ts'
import { boundedSearch, inPlace, searchedRows } from './search-bounds.ts'

interface TotalsQuery extends Asked {
  kind: FilteredKind
  filter?: string | null | undefined
}

interface Sums {
  count: number
  all: number
  ncpus: number | null
  memory: number | null
  size: number | null
}
interface Totals extends Sums {
  without: { term: string; count: number }[]
}

/** Instances whose attached disks are added up at most. */
const disksOf = 20_000
/** Terms that are tried without, if nothing matches. */
const triedTerms = 8

type Sql = RawBuilder<unknown>
const none = sql`NULL::int8`

/** How many objects match a filter, and what they take up together. */
export async function listTotals(cx: Cx, { kind, filter, ...asked }: TotalsQuery): Promise<Totals> {
  const place = await placeOf(cx, asked, kind)
  const compiled = compileFilter(cx, kind, filter, place)
  return boundedSearch(cx, kind, place, async () => {
    const sums = await sumsOf(cx, kind, place, compiled)
    const without = sums.count === 0 && sums.all > 0 ? await withoutTerms(cx, kind, place, filter ?? '') : []
    return { ...sums, without }
  })
}

async function sumsOf(
  cx: Cx,
  kind: FilteredKind,
  place: Place,
  { condition, isRelated }: Compiled,
): Promise<Sums> {
  const { table, sums } = tableOf(kind)
  const sum = (of: Sql | undefined): Sql => (of ? sql`coalesce(sum(${of}), 0)::int8` : none)
  const named = Object.entries(sums).map(([name, of]) => sql`${of} AS ${sql.ref(name)}`)
  const columns = sql.join([sql`t.id`, ...named])
  const size =
    kind === 'instance'
      ? sql`CASE WHEN count(*) <= ${disksOf} THEN (SELECT coalesce(sum(d.size), 0)::int8 FROM disk d
          WHERE d.time_deleted IS NULL AND d.instance_id IN (SELECT matching.id FROM matching)) END`
      : sum(sums.size && sql`size`)
  // What matches is found by index where there is one; all are only counted. What may be many others is looked up once
  // and not joined.
  const matches = isRelated ? sql`coalesce(${condition}, false)` : condition
  const all = condition
    ? sql`(SELECT count(*)::int4 FROM ${sql.table(table)} t WHERE ${inPlace(kind, place)})`
    : sql`count(*)::int4`
  const { rows } = await sql<Sums>`
    WITH matching AS MATERIALIZED (SELECT ${columns} FROM ${sql.table(table)} t
      WHERE ${inPlace(kind, place)} ${matches ? sql`AND ${matches}` : sql``})
    SELECT count(*)::int4 AS count, ${all} AS "all",
      ${sum(sums.ncpus && sql`ncpus`)} AS ncpus, ${sum(sums.memory && sql`memory`)} AS memory, ${size} AS size
    FROM matching`.execute(cx.db)
  return rows[0] ?? { count: 0, all: 0, ncpus: null, memory: null, size: null }
}

/**
 * How many objects of a project match a filter, for work of the platform in it, and how many were examined. Refused
 * where these are too many.
 */
export async function countInProject(
  cx: Cx,
  kind: FilteredKind,
  filter: string,
  project_id: string,
): Promise<{ count: number; examined: number }> {
  const place = placeInProject(project_id)
  const { condition } = compileFilter(cx, kind, filter, place)
  const examined = await searchedRows(cx, kind, place)
  const { rows } = await sql<{ count: number }>`SELECT count(*)::int4 AS count
    FROM ${sql.table(tableOf(kind).table)} t
    WHERE ${inPlace(kind, place)} ${condition ? sql`AND ${condition}` : sql``}`.execute(cx.db)
  return { count: rows[0]?.count ?? 0, examined }
}

/** What each term hides, found by leaving it out. */
async function withoutTerms(
  cx: Cx,
  kind: FilteredKind,
  place: Place,
  text: string,
): Promise<Totals['without']> {
  const parsed = parseFilter(text)
  const parts = parsed.problem ? [] : partsOf(parsed.filter).slice(0, triedTerms)
  const tried = parts.map((part) => {
    const rest = parts.filter((other) => other !== part)
    const others = printFilter({ filter: rest.length > 1 ? { kind: 'all', parts: rest } : rest[0] })
    const { condition } = compileFilter(cx, kind, others, place)
    return { term: printFilter({ filter: part }), condition: condition ?? sql`true` }
  })
  if (tried.length === 0) return []
  const counts = tried.map(
    ({ condition }, index) => sql`count(*) FILTER (WHERE ${condition})::int4 AS ${sql.ref(`n${index}`)}`,
  )
  const { rows } = await sql<Record<string, number>>`
    SELECT ${sql.join(counts)} FROM ${sql.table(tableOf(kind).table)} t WHERE ${inPlace(kind, place)}`.execute(
    cx.db,
  )
  return tried.map(({ term }, index) => ({ term, count: rows[0]?.[`n${index}`] ?? 0 }))
}

/** Values that are suggested at once. */
const suggested = 20

/** The values that a field has among the objects that match, most frequent first. */
export async function listValues(
  cx: Cx,
  {
    kind,
    filter,
    field,
    prefix,
    ...asked
  }: TotalsQuery & { field: string; prefix?: string | null | undefined },
): Promise<{ items: { value: string; count: number }[] }> {
  const fields = fieldsOf(kind)
  const described = Object.hasOwn(fields, field) ? fields[field] : undefined
  const place = await placeOf(cx, asked, kind)
  const { value } = tableOf(kind).columns[field] ?? {}
  if (!described?.isSuggested || !value || (described.ofFleet && !place.isFleetViewer)) {
    const known = Object.keys(fields).filter(
      (name) => fields[name]?.isSuggested && (!fields[name].ofFleet || place.isFleetViewer),
    )
    throw invalidValue('field', `values of ${field} are not listed`, `Name one of ${known.join(', ')}.`)
  }
  const { condition } = compileFilter(cx, kind, filter, place)
  const begins = prefix ? sql` AND ${value.of}::text ILIKE ${`${literally(prefix)}%`}` : sql``
  return boundedSearch(cx, kind, place, async () => {
    const { rows } = await sql<{ value: string; count: number }>`
      SELECT ${value.of}::text AS value, count(DISTINCT t.id)::int4 AS count
      FROM ${sql.table(tableOf(kind).table)} t ${value.joins?.(place) ?? sql``}
      WHERE ${inPlace(kind, place)} ${condition ? sql`AND ${condition}` : sql``} AND ${value.of} IS NOT NULL${begins}
      GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${suggested}`.execute(cx.db)
    return { items: rows }
  })
}
