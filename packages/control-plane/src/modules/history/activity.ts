import type { ActivityEntry } from '@gantry/api/history/activity'
import { activityPage } from '@gantry/api/history/activity.rules'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import type { QueryOf } from '@gantry/api/op'
import { ops } from '@gantry/api/registry'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { forbidden } from '../../context/refusal.ts'
import { relationPage } from '../../list/keyset-page.ts'
import { momentOf, timeKey } from '../../list/time-key.ts'
import { need, needFleet } from '../../lookup/need.ts'
import { needed } from '../../authz/policy.ts'
import { entriesAt } from './entries.ts'
import type { Position } from './member.ts'
import { unseenKinds } from './unseen-kinds.ts'

type Query = QueryOf<typeof ops.activityList>
type Filters = QueryOf<typeof ops.systemActivityList>
type Page = Promise<{ items: ActivityEntry[]; next_page: string | null }>

/**
 * Every record that can lead to an entry. Each branch has an index for each condition on its subject, in order of time,
 * so that a page costs the same however many there are. A constant `branch` lets the database drop the others, and only
 * branches without conditions of their own are read in order and merged: hence `isTold`.
 */
const positions = sql`(
  SELECT 'object'::text AS branch, c.object_id AS subject_id, c.id, c.time, c.entry_id, c.project_id, c.silo_id, c.kind,
    c.name, c.request_id, (c.actor->>'silo_user_id')::uuid AS user_id, c.actor->>'kind' AS actor_kind, c.action,
    false AS is_refused, 400 AS status FROM change c
  UNION ALL SELECT 'holder'::text, c.holder_id, c.id, c.time, c.entry_id, c.project_id, c.silo_id, c.kind,
    c.name, c.request_id, (c.actor->>'silo_user_id')::uuid, c.actor->>'kind', c.action,
    false, 400 FROM change c
  UNION ALL SELECT 'refused'::text, a.object_id, a.id, a.time_completed, NULL::uuid, a.project_id, a.silo_id,
    a.object_kind, a.object_name, a.request_id, a.silo_user_id, a.actor->>'kind', NULL::text,
    true, a.http_status_code FROM audit a)`

/** Changes that belong to an entry, and requests about an object that were refused. */
const isTold = sql`t.subject_id IS NOT NULL AND t.status >= 400 AND (t.is_refused OR t.entry_id IS NOT NULL)`

/** The activity of a project or of the caller's silo, or of the caller. */
export const listActivity = (cx: Cx, query: Query): Page =>
  activityPageOf(cx, ops.activityList, query, async (asked) => {
    const { user_id, silo_id } = cx.user()
    if (asked.project) {
      const { row } = await need(cx, 'project', { project: asked.project }, 'list_children')
      return [
        sql`t.project_id = ${row.id}`,
        ...unseenKinds(cx, { silo_id: row.silo_id, project_id: row.id }),
        ...(await filters(cx, asked, row.silo_id)),
      ]
    }
    if (asked.mine) return [sql`t.user_id = ${user_id}`, ...(await filters(cx, asked, silo_id))]
    if (!cx.can('list_children', { class: 'silo', silo_id }))
      throw forbidden(needed('list_children', { class: 'silo' }))
    return [
      sql`t.silo_id = ${silo_id}`,
      ...unseenKinds(cx, { silo_id, project_id: null }),
      ...(await filters(cx, asked, silo_id)),
    ]
  })

/** The activity of what belongs to no silo, or of one object anywhere that the caller may see. */
export const listSystemActivity = (cx: Cx, query: Filters): Page =>
  activityPageOf(cx, ops.systemActivityList, query, async (asked) => {
    needFleet(cx, 'list_children')
    const place = asked.object ? [] : [sql`t.silo_id IS NULL`]
    return [...place, ...(await filters(cx, asked, undefined))]
  })

async function activityPageOf<Asked extends Filters>(
  cx: Cx,
  op: typeof ops.activityList | typeof ops.systemActivityList,
  query: Asked,
  where: (asked: Asked) => Promise<RawBuilder<unknown>[]>,
): Page {
  const page = await relationPage(
    cx,
    op,
    { columns: sql<Position>`t.id, t.time, t.entry_id`, from: positions },
    query,
    {
      keys: { time_and_id: timeKey('time') },
      where: async (asked) => [isTold, ...(await where(asked))],
      maxLength: () => activityPage,
    },
    (row) => row,
  )
  return { items: await entriesAt(cx, page.items), next_page: page.next_page }
}

async function filters(cx: Cx, asked: Filters, silo_id: string | undefined): Promise<RawBuilder<unknown>[]> {
  const { object, search, by, by_platform, kind, action, outcome, start_time, end_time } = asked
  return [
    ...(search ? await found(cx, search, silo_id) : object ? about(object) : [isEntry]),
    ...(search && object ? about(object) : []),
    ...(by ? [await isBy(cx, by, silo_id)] : []),
    ...(by_platform ? [sql`t.actor_kind = 'system'`] : []),
    ...(kind?.length ? [sql`t.kind = ANY (${kind}::text[])`] : []),
    ...(action?.length ? [sql`t.action = ANY (${action}::text[])`] : []),
    ...(outcome ? [outcome === 'refused' ? sql`t.branch = 'refused'` : sql`t.branch <> 'refused'`] : []),
    ...(start_time ? [sql`t.time >= ${momentOf(start_time)}`] : []),
    ...(end_time ? [sql`t.time < ${momentOf(end_time)}`] : []),
  ]
}

/** Each entry once: at the record that makes it. */
const isEntry = sql`t.branch <> 'holder' AND (t.action IS NOT NULL OR t.is_refused)`

/** An object, and what belongs to it or is attached to it. */
const about = (object: string): RawBuilder<unknown>[] => [sql`t.subject_id = ${object}`]

/** By the id of a request or of an object, otherwise by name; whatever else an entry tells of leads to it too. */
async function found(cx: Cx, search: string, silo_id: string | undefined): Promise<RawBuilder<unknown>[]> {
  // Names are found within a silo: others cannot make the search slow by using them too.
  const inSilo = silo_id === undefined ? [] : [sql`t.silo_id = ${silo_id}`]
  if (!isUuid(search)) return [sql`t.branch <> 'holder'`, sql`t.name = ${search}`, ...inSilo]
  const id = canonicalUuid(search)
  const { rows } = await sql`
    SELECT FROM change WHERE request_id = ${id} UNION ALL SELECT FROM audit WHERE request_id = ${id} LIMIT 1`.execute(
    cx.db,
  )
  return rows.length > 0 ? [isEntry, sql`t.request_id = ${id}`] : about(id)
}

/** A user by name or id, deleted ones included. Identity providers choose names, which can be UUIDs. */
async function isBy(cx: Cx, by: string, silo_id: string | undefined): Promise<RawBuilder<unknown>> {
  const users = cx.db.selectFrom('silo_user').select('id').where('external_id', '=', by)
  const named = await (silo_id === undefined ? users : users.where('silo_id', '=', silo_id)).execute()
  const ids = named.map(({ id }) => id)
  if (isUuid(by)) ids.push(canonicalUuid(by))
  return ids.length === 1 ? sql`t.user_id = ${ids[0]}` : sql`t.user_id = ANY (${ids}::uuid[])`
}
