import { sees } from '../../kernel/place.ts'
import type { SearchHit } from '@gantry/api/extensions'
import { sql } from 'kysely'
import { containing } from '../../db/like.ts'
import type { Cx } from '../../kernel/cx.ts'

const defaultLimit = 20

/** Projects and instances whose name holds the text, those that begin with it first, only what may be seen. */
export async function search(
  cx: Cx,
  text: string,
  limit: number | null | undefined,
): Promise<{ items: SearchHit[] }> {
  const { silo_id, projects } = cx.user()
  const pattern = containing(text)
  const rank = sql`position(${text.toLowerCase()} IN name)`
  const most = limit ?? defaultLimit
  const everywhere = sees(cx, 'project', { silo_id, project_id: null })
  const seen = everywhere ? sql`true` : sql`p.id = ANY(${projects})`
  const { rows } = await sql<SearchHit & { project_id: string }>`
    SELECT kind, id, name, project_name, project_id FROM (
      SELECT 'project' AS kind, p.id, p.name, p.name AS project_name, p.id AS project_id FROM project p
      WHERE p.silo_id = ${silo_id} AND p.time_deleted IS NULL AND ${seen} AND p.name LIKE ${pattern}
      UNION ALL
      SELECT 'instance', i.id, i.name, p.name, p.id FROM instance i JOIN project p ON p.id = i.project_id
      WHERE p.silo_id = ${silo_id} AND p.time_deleted IS NULL AND ${seen} AND i.time_deleted IS NULL
        AND i.name LIKE ${pattern}
    ) found ORDER BY ${rank}, length(name), name, id LIMIT ${most}`.execute(cx.db)
  const visible = rows.filter(({ project_id }) => sees(cx, 'project', { silo_id, project_id }))
  return {
    items: visible.map(({ kind, id, name, project_name }) => ({ kind, id, name, project_name })),
  }
}
