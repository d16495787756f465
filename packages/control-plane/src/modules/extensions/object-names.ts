import type { ObjectName } from '@gantry/api/extensions'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { ancestryOf } from '../../lookup/ancestry.ts'
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

function found(table: Measured, ids: readonly string[]): RawBuilder<unknown> {
  const { from, exists, name, silo_id, project_id } = ancestryOf(table)
  return sql`
    SELECT ${table}::text AS "table", ${kinds[table].word}::text AS kind, t0.id, ${name} AS name,
      ${silo_id} AS silo_id, ${project_id} AS project_id
    FROM ${from} WHERE t0.id = ANY (${ids}::uuid[]) AND ${exists}`
}
