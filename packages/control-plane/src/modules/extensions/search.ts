import type { SearchHit } from '@gantry/api/extensions'
import { type RawBuilder, sql } from 'kysely'
import { containing } from '../../db/like.ts'
import type { Cx } from '../../context/cx.ts'
import { type KindName, kinds, searchedTables } from '../../lookup/kinds.ts'
import { sees } from '../../lookup/location.ts'

const defaultLimit = 20

/** Visible projects, and objects in them of every `searched` kind, whose name contains the text, prefix matches first. */
export async function search(
  cx: Cx,
  text: string,
  limit: number | null | undefined,
): Promise<{ items: SearchHit[] }> {
  const { silo_id, projects } = cx.user()
  const everywhere = sees(cx, 'project', { silo_id, project_id: null })
  const seen = everywhere ? sql`true` : sql`p.id = ANY(${projects})`
  const found = (table: KindName): RawBuilder<unknown> => {
    const { word, orProject } = kinds[table]
    const ofSilo = orProject && sees(cx, table, { silo_id, project_id: null })
    const joined = table === 'project' ? sql`t.id = p.id` : sql`t.project_id = p.id`
    const place = sql`p.silo_id = ${silo_id} AND p.time_deleted IS NULL AND ${seen}`
    return sql`
      SELECT ${table}::text AS "table", ${word}::text AS kind, t.id, t.name, p.name AS project_name, p.id AS project_id
      FROM ${sql.table(table)} t ${sql.raw(ofSilo ? 'LEFT JOIN' : 'JOIN')} project p ON ${joined}
      WHERE t.time_deleted IS NULL AND t.name LIKE ${containing(text)}
        AND ${ofSilo ? sql`(t.project_id IS NULL AND t.silo_id = ${silo_id} OR ${place})` : place}`
  }
  const { rows } = await sql<SearchHit & { table: KindName; project_id: string | null }>`
    SELECT * FROM (${sql.join(searchedTables.map(found), sql` UNION ALL `)}) found
    ORDER BY position(${text.toLowerCase()} IN name), length(name), name, id
    LIMIT ${limit ?? defaultLimit}`.execute(cx.db)
  const visible = rows.filter(({ table, project_id }) => sees(cx, table, { silo_id, project_id }))
  return { items: visible.map(({ kind, id, name, project_name }) => ({ kind, id, name, project_name })) }
}
