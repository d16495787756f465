import type { ObjectName } from '@gantry/api/extensions'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { type KindName, kinds } from '../../lookup/kinds.ts'
import { sees } from '../../lookup/location.ts'

/** Kinds whose ids measurements carry. */
const measured = [
  'silo',
  'project',
  'instance',
  'disk',
  'vpc',
  'network_interface',
  'sled',
] as const satisfies readonly KindName[]
type Measured = (typeof measured)[number]

interface Found extends ObjectName {
  table: Measured
  silo_id: string | null
  project_id: string | null
}

/**
 * The names of those objects that the caller may see, each found by its primary key. An unknown, a deleted and a hidden
 * object are equally absent.
 */
export async function objectNames(cx: Cx, ids: readonly string[]): Promise<{ items: ObjectName[] }> {
  const { rows } = await sql<Found>`
    SELECT * FROM (${sql.join(
      measured.map((table) => found(table, ids)),
      sql` UNION ALL `,
    )}) found ORDER BY id`.execute(cx.db)
  const visible = rows.filter(({ table, silo_id, project_id }) =>
    sees(cx, table, { silo_id: silo_id ?? undefined, project_id }),
  )
  return { items: visible.map(({ id, kind, name }) => ({ id, kind, name })) }
}

/** The objects of a table, with the silo and the project at the end of the path of their parents. */
function found(table: Measured, ids: readonly string[]): RawBuilder<unknown> {
  const path: KindName[] = [table]
  for (;;) {
    const { parent } = kinds[path.at(-1) ?? table]
    if (parent === 'fleet' || parent === 'silo' || parent === 'silo_user') break
    path.push(parent)
  }
  const at = (depth: number) => sql.ref(`t${depth}`)
  const column = (depth: number, name: string) => sql.ref(`t${depth}.${name}`)
  const last = path.length - 1
  const root = path[last] ?? table
  const joins = path
    .slice(1)
    .map(
      (above, depth) =>
        sql`JOIN ${sql.table(above)} ${at(depth + 1)} ON ${column(depth + 1, 'id')} = ${column(depth, `${above}_id`)}`,
    )
  const siloColumn = root === 'silo' ? 'id' : kinds[root].parent === 'silo' ? 'silo_id' : undefined
  return sql`
    SELECT ${table}::text AS "table", ${kinds[table].word}::text AS kind, t0.id,
      ${column(0, table === 'sled' ? 'serial' : 'name')} AS name,
      ${siloColumn ? column(last, siloColumn) : sql`NULL::uuid`} AS silo_id,
      ${root === 'project' ? column(last, 'id') : sql`NULL::uuid`} AS project_id
    FROM ${sql.table(table)} t0 ${sql.join(joins, sql` `)}
    WHERE t0.id = ANY (${ids}::uuid[])
      AND ${sql.join(
        path.map((_, depth) => sql`${column(depth, 'time_deleted')} IS NULL`),
        sql` AND `,
      )}`
}
