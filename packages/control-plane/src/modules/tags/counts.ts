import type { TagCounts } from '@gantry/api/tags/tag'
import { isFleetTagged, tagLimits } from '@gantry/api/tags/tag.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { need, needFleet, needOwnSilo } from '../../lookup/need.ts'
import { sees } from '../../lookup/location.ts'
import type { Input } from '../../pipeline/implement.ts'

type Asked = Input<'tagKeyList'>['query'] & { key?: string }

export const listKeys = (cx: Cx, { query }: Input<'tagKeyList'>): Promise<TagCounts> => counts(cx, query)
export const listValues = (cx: Cx, { query }: Input<'tagValueList'>): Promise<TagCounts> => counts(cx, query)

/** Projects that are searched at most for a caller who may not see all of the silo. */
const projectsAtOnce = 100

/**
 * The texts that exist, each found by one step in an index, and counted up to a limit: what this costs does not grow with
 * the number of objects.
 */
async function counts(cx: Cx, asked: Asked): Promise<TagCounts> {
  const { places, isCut } = await placesOf(cx, asked)
  const column = sql.ref(asked.key === undefined ? 'key' : 'value')
  const wanted = [
    ...(asked.key === undefined ? [] : [sql`key = ${asked.key}`]),
    ...(asked.kind ? [sql`kind = ${asked.kind}`] : []),
  ]
  const prefix = asked.prefix ?? ''
  const next = (place: RawBuilder<unknown>, after: RawBuilder<unknown>) => sql`(
    SELECT ${column} AS text FROM tag WHERE ${sql.join([place, ...wanted, after], sql` AND `)}
    ORDER BY ${column} LIMIT 1)`
  const found = new Map<string, number>()
  let isMore = isCut
  for (const place of places) {
    const { rows } = await sql<{ text: string; count: number }>`
      WITH RECURSIVE step AS (
        (SELECT text, 1 AS n FROM ${next(place, sql`${column} >= ${prefix}`)} first)
        UNION ALL
        SELECT ${next(place, sql`${column} > step.text`)}, step.n + 1 FROM step
        WHERE step.text IS NOT NULL AND starts_with(step.text, ${prefix}) AND step.n <= ${tagLimits.counted}
      )
      SELECT text, (SELECT count(*)::int FROM (
        SELECT FROM tag WHERE ${sql.join([place, ...wanted], sql` AND `)} AND ${column} = step.text
        LIMIT ${tagLimits.count}) counted) AS count
      FROM step WHERE text IS NOT NULL AND starts_with(text, ${prefix}) ORDER BY text`.execute(cx.db)
    if (rows.length > tagLimits.counted) isMore = true
    for (const { text, count } of rows.slice(0, tagLimits.counted))
      found.set(text, Math.min((found.get(text) ?? 0) + count, tagLimits.count))
  }
  const items = [...found]
    .map(([text, count]) => ({ text, count }))
    .toSorted((one, other) => (one.text < other.text ? -1 : 1))
  return {
    items: items.slice(0, tagLimits.counted),
    has_more: isMore || items.length > tagLimits.counted,
  }
}

/** Where the caller may see tags: a project, a silo, or each of the projects in which the caller has a role. */
async function placesOf(
  cx: Cx,
  { project, kind }: Asked,
): Promise<{ places: RawBuilder<unknown>[]; isCut: boolean }> {
  if (kind && isFleetTagged(kind)) {
    needFleet(cx, 'list_children')
    return { places: [sql`true`], isCut: false }
  }
  if (project) {
    const { row } = await need(cx, 'project', { project }, 'list_children')
    // Those of the project itself are among those of the silo's projects.
    return { places: [sql`project_id = ${row.id} AND kind <> 'project'`], isCut: false }
  }
  const { silo_id } = needOwnSilo(cx, 'read')
  if (sees(cx, 'project', { silo_id, project_id: null }))
    return { places: [sql`silo_id = ${silo_id}`], isCut: false }
  const { projects } = cx.user()
  return {
    places: projects.slice(0, projectsAtOnce).map((id) => sql`project_id = ${id}`),
    isCut: projects.length > projectsAtOnce,
  }
}
