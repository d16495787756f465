import type { TaggedKind } from '@gantry/api/tags/tag.rules'
import { type RawBuilder, sql } from 'kysely'
import type { ResourceLocation } from '../../authz/policy.ts'
import type { Cx } from '../../context/cx.ts'
import type { StoredTags } from '../../db/tables/column-types.ts'
import { ancestryOf } from '../../lookup/ancestry.ts'
import type { KindName } from '../../lookup/kinds.ts'
import { locationOf } from '../../lookup/location.ts'
import { tableOf } from '../../lookup/table-of.ts'

export interface FoundObject {
  id: string
  /** Of a sled, its serial number. */
  name: string
  generation: number
  tags: StoredTags | null
  scope: { silo_id: string | null; project_id: string | null }
  location: ResourceLocation
}

interface FoundRow extends Pick<FoundObject, 'id' | 'name' | 'generation' | 'tags'> {
  silo_id: string | null
  project_id: string | null
  mapped_fleet_roles: Record<string, never>
}

/** The objects of a kind by their ids, of those that the caller may see, in one statement. */
export async function visibleObjects(
  cx: Cx,
  kind: TaggedKind,
  ids: readonly string[],
): Promise<Map<string, FoundObject>> {
  const { rows } = await objects(tableOf(kind), ids).execute(cx.db)
  const found = rows.map(({ silo_id, project_id, mapped_fleet_roles, ...row }): FoundObject => {
    const scope = { silo_id, project_id }
    const location = locationOf(
      tableOf(kind),
      { mapped_fleet_roles },
      { silo_id: silo_id ?? undefined, project_id },
    )
    return { ...row, scope, location }
  })
  return new Map(
    found.filter(({ location }) => cx.can('read', location)).map((object) => [object.id, object] as const),
  )
}

function objects(table: KindName, ids: readonly string[]): RawBuilder<FoundRow> {
  const { from, exists, name, silo_id, project_id } = ancestryOf(table)
  return sql<FoundRow>`
    SELECT t0.id, t0.generation, t0.tags, ${name} AS name, ${silo_id} AS silo_id, ${project_id} AS project_id,
      ${table === 'silo' ? sql`t0.mapped_fleet_roles` : sql`'{}'::jsonb`} AS mapped_fleet_roles
    FROM ${from} WHERE t0.id = ANY (${ids}::uuid[]) AND ${exists}`
}
