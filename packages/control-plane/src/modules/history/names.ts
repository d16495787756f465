import { isUuid } from '@gantry/api/base/name.rules'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { AuditActor } from '../../db/tables.ts'
import { locationOfChange } from '../../lookup/location.ts'

/** Ids that one page resolves to names at most. */
const maxIds = 500

/** Every id in a stored value: a reference, or a list of them. */
function idsIn(value: unknown): string[] {
  if (typeof value === 'string') return isUuid(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(idsIn) : []
}

/** The names of all objects whose ids a value has, deleted ones too, as far as the caller may see them. */
export async function namesOf(cx: Cx, value: unknown): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(idsIn(value))
  if (ids.size === 0) return new Map()
  const { rows } = await sql<{
    id: string
    kind: string
    name: string
    silo_id: string | null
    project_id: string | null
    actor: AuditActor
  }>`
    SELECT found.* FROM unnest(${[...ids].slice(0, maxIds)}::uuid[]) asked (id)
    CROSS JOIN LATERAL (
      SELECT c.object_id AS id, c.kind, c.name, c.silo_id, c.project_id, c.actor FROM change c
      WHERE c.object_id = asked.id AND c.name IS NOT NULL ORDER BY c.generation DESC LIMIT 1
    ) found`.execute(cx.db)
  const seen = rows.filter((row) => cx.can('read', locationOfChange(row)))
  return new Map(seen.map(({ id, name }) => [id, name]))
}
