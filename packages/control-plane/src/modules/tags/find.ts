import type { TaggedKind } from '@gantry/api/tags/tag.rules'
import { type RawBuilder, sql } from 'kysely'
import type { ResourceLocation } from '../../authz/policy.ts'
import type { Cx } from '../../context/cx.ts'
import type { StoredTags } from '../../db/tables/column-types.ts'
import type { TrackedName } from '../../db/tables.ts'
import { type KindName, kinds } from '../../lookup/kinds.ts'
import { locationOf } from '../../lookup/location.ts'

/** The tables of what can have tags. */
export const taggedTables = {
  silo: 'silo',
  project: 'project',
  instance: 'instance',
  'instance-network-interface': 'network_interface',
  'affinity-group': 'affinity_group',
  'anti-affinity-group': 'anti_affinity_group',
  sled: 'sled',
  vpc: 'vpc',
  'vpc-subnet': 'vpc_subnet',
  'vpc-router': 'vpc_router',
  'router-route': 'router_route',
  'internet-gateway': 'internet_gateway',
  'ip-pool': 'ip_pool',
  'floating-ip': 'external_ip',
  disk: 'disk',
  image: 'image',
  snapshot: 'snapshot',
} as const satisfies Record<TaggedKind, TrackedName>

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
  const { rows } = await objects(taggedTables[kind], ids).execute(cx.db)
  const found = rows.map(({ silo_id, project_id, mapped_fleet_roles, ...row }): FoundObject => {
    const scope = { silo_id, project_id }
    const location = locationOf(
      taggedTables[kind],
      { mapped_fleet_roles },
      { silo_id: silo_id ?? undefined, project_id },
    )
    return { ...row, scope, location }
  })
  return new Map(
    found.filter(({ location }) => cx.can('read', location)).map((object) => [object.id, object] as const),
  )
}

/** With the silo and the project at the end of the path of their parents. */
function objects(table: KindName, ids: readonly string[]): RawBuilder<FoundRow> {
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
  const nothing = sql`NULL::uuid`
  const silo =
    root === 'silo' ? column(last, 'id') : kinds[root].parent === 'silo' ? column(last, 'silo_id') : nothing
  const project =
    root === 'project' ? column(last, 'id') : kinds[root].orProject ? column(last, 'project_id') : nothing
  const exists = path.map((_, depth) => sql`${column(depth, 'time_deleted')} IS NULL`)
  // Pools of the rack's own services have operations of their own, and are missing everywhere else.
  const conditions = table === 'ip_pool' ? [...exists, sql`NOT t0.is_service`] : exists
  return sql<FoundRow>`
    SELECT t0.id, t0.generation, t0.tags, ${column(0, table === 'sled' ? 'serial' : 'name')} AS name,
      ${silo} AS silo_id, ${project} AS project_id,
      ${table === 'silo' ? sql`t0.mapped_fleet_roles` : sql`'{}'::jsonb`} AS mapped_fleet_roles
    FROM ${sql.table(table)} t0 ${sql.join(joins, sql` `)}
    WHERE t0.id = ANY (${ids}::uuid[]) AND ${sql.join(conditions, sql` AND `)}`
}
