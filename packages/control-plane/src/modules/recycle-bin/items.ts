import type { RecycledItem } from '@gantry/api/history/recycle-bin'
import { type RawBuilder, sql } from 'kysely'
import { needed, type ResourceLocation } from '../../authz/policy.ts'
import type { Cx } from '../../context/cx.ts'
import { forbidden, notFound } from '../../context/refusal.ts'
import type { Row } from '../../db/tables.ts'
import { classInProject } from '../../lookup/location.ts'

export type Item = Row<'recycled'>

/** An item with the user who deleted it, and with the size of what was deleted together. */
export type Listed = Item & {
  user_name: string | null
  user_silo_id: string | null
  together: number | null
  together_storage: number | null
  needs_parent: boolean
}

export const listed = (cx: Pick<Cx, 'now'>) => ({
  columns: sql<Listed>`t.*`,
  from: sql`(SELECT r.*, u.external_id AS user_name, u.silo_id AS user_silo_id, whole.*,
      EXISTS (SELECT 1 FROM project p WHERE p.id = r.project_id AND p.time_deleted IS NOT NULL)
        OR EXISTS (SELECT 1 FROM vpc v WHERE v.id = r.parent_id AND v.time_deleted IS NOT NULL) AS needs_parent
    FROM recycled r LEFT JOIN silo_user u ON u.id = (r.actor->>'silo_user_id')::uuid
    LEFT JOIN LATERAL (SELECT count(*)::int AS together, sum(t.storage)::int8 AS together_storage FROM recycled t
      WHERE t.deletion_id = r.deletion_id AND ${isKept(cx)}) whole ON r.deletion_id IS NOT NULL)`,
})

/** What is over is on its way out. */
export const isKept = (cx: Pick<Cx, 'now'>): RawBuilder<unknown> => sql`t.time_expires > ${cx.now()}`

export const viewOf = (cx: Pick<Cx, 'can'>, item: Listed): RecycledItem => {
  const { id, kind, object_id, name, time_deleted, time_expires, storage, ip, actor } = item
  const by: ResourceLocation = { class: 'siloUser', silo_id: item.user_silo_id ?? '' }
  const isShown = actor.kind === 'silo_user' && item.user_name !== null && cx.can('read', by)
  return {
    id,
    kind,
    object_id,
    name,
    deleted_by: isShown ? { id: actor.silo_user_id, name: item.user_name ?? '' } : null,
    time_deleted,
    time_expires,
    storage,
    ip,
    parts: partsOf(item),
    needs_parent: item.needs_parent,
    deletion: deletionOf(item),
  } as unknown as RecycledItem
}

/** What is alone comes back as any other. */
function deletionOf({ deletion, together, together_storage }: Listed): RecycledItem['deletion'] {
  if (!deletion || together === null || together < 2) return null
  const { id, kind, object_id, name } = deletion
  return { id, kind, object_id, name, items: together, storage: together_storage ?? 0 }
}

/** What users know as objects or parts of its kind. */
const counted: Readonly<Record<string, string>> = {
  network_interface: 'instance-network-interface',
  vpc_firewall_rule: 'vpc-firewall-rule',
  vpc_router: 'vpc-router',
  router_route: 'router-route',
  snapshot: 'snapshot',
  metric_query: 'metric-query',
  schedule: 'schedule',
  shared_view: 'shared-view',
  instance_template: 'instance-template',
}

function partsOf({ kept }: Item): Record<string, number> {
  const { removed = {}, disks = [] } = kept as { removed?: Record<string, string[]>; disks?: string[] }
  const parts = Object.entries(removed).flatMap(([table, ids]) => {
    const kind = counted[table]
    return kind === undefined ? [] : [[kind, ids.length] as const]
  })
  return Object.fromEntries(disks.length > 0 ? [['disk', disks.length], ...parts] : parts)
}

export type Place = Pick<Item, 'kind' | 'object_id' | 'silo_id' | 'project_id'>

/** Where an item is, which decides who may see and restore it: as what it was in. */
export function locationOf({ kind, object_id, silo_id, project_id }: Place): ResourceLocation {
  if (kind === 'project') return { class: 'project', silo_id, project_id: object_id }
  if (project_id !== null) return { class: classInProject(kind), silo_id, project_id }
  return { class: 'siloImage', silo_id }
}

export const scopeOf = ({ silo_id, project_id }: Item) => ({ silo_id, project_id })

/**
 * An item that the caller may restore or delete for good, for which its object would have to be the caller's to change:
 * a project, for one, comes back with its networks. 404 for one of which the caller may not know.
 */
export async function needItem(cx: Cx, id: string): Promise<Listed> {
  cx.user()
  const [item] = await readItems(cx, sql`t.id = ${id} AND ${isKept(cx)}`)
  if (!item || !cx.can('read', locationOf(item))) throw notFound('recycled-item', { id })
  const { kind, object_id, name, silo_id, project_id } = item
  cx.about ??= { kind, id: object_id, name, silo_id, project_id }
  allowItem(cx, item)
  return item
}

/** 403 unless the caller may restore this, or delete it for good. */
export function allowItem(cx: Cx, item: Place): void {
  const location = locationOf(item)
  if (!cx.can('modify', location)) throw forbidden(needed('modify', location))
}

/** Items that match, the most recently deleted first. */
export async function readItems(cx: Cx, which: RawBuilder<unknown>, limit = 1): Promise<Listed[]> {
  const { columns, from } = listed(cx)
  const { rows } = await sql<Listed>`SELECT ${columns} FROM ${from} t WHERE ${which}
    ORDER BY t.time_deleted DESC, t.id DESC LIMIT ${limit}`.execute(cx.db)
  return rows
}
