import type { ActivityEntry } from '@gantry/api/history/activity'
import { activityExamined, activityPage } from '@gantry/api/history/activity.rules'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import type { QueryOf } from '@gantry/api/op'
import { ops } from '@gantry/api/registry'
import { type RawBuilder, sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { forbidden } from '../../context/refusal.ts'
import { searchedPage, type Way } from '../../list/searched-page.ts'
import { momentOf, timeKey, writtenTime } from '../../list/time-key.ts'
import { locationOfChange } from '../../lookup/location.ts'
import { need, needFleet } from '../../lookup/need.ts'
import { needed } from '../../authz/policy.ts'
import { entriesAt } from './entries.ts'
import type { Position } from './member.ts'
import { unseenKinds } from './unseen-kinds.ts'

type Query = QueryOf<typeof ops.activityList>
type Filters = QueryOf<typeof ops.systemActivityList>
type Page = Promise<{ items: ActivityEntry[]; next_page: string | null; time_searched: string | null }>

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
      const unseen = unseenKinds(cx, { silo_id: row.silo_id, project_id: row.id })
      return ways(cx, asked, { place: sql`t.project_id = ${row.id}`, unseen, silo_id: row.silo_id })
    }
    if (asked.mine) return ways(cx, asked, { place: sql`t.user_id = ${user_id}`, unseen: [], silo_id })
    if (!cx.can('list_children', { class: 'silo', silo_id }))
      throw forbidden(needed('list_children', { class: 'silo' }))
    const unseen = unseenKinds(cx, { silo_id, project_id: null })
    return ways(cx, asked, { place: sql`t.silo_id = ${silo_id}`, unseen, silo_id })
  })

/** The activity of what belongs to no silo, or of one object anywhere that the caller may see. */
export const listSystemActivity = (cx: Cx, query: Filters): Page =>
  activityPageOf(cx, ops.systemActivityList, query, async (asked) => {
    needFleet(cx, 'list_children')
    const anywhere = asked.object !== undefined && asked.object !== null && (await isSeen(cx, asked.object))
    return ways(cx, asked, {
      place: anywhere ? sql`true` : sql`t.silo_id IS NULL`,
      unseen: [],
      silo_id: undefined,
    })
  })

/** Whether the caller may see an object, wherever it is or was last. */
async function isSeen(cx: Cx, object: string): Promise<boolean> {
  const last = await cx.db
    .selectFrom('change')
    .select(['kind', 'object_id as id', 'silo_id', 'project_id', 'actor'])
    .where('object_id', '=', object)
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last !== undefined && cx.can('read', locationOfChange(last))
}

async function activityPageOf<Asked extends Filters>(
  cx: Cx,
  op: typeof ops.activityList | typeof ops.systemActivityList,
  query: Asked,
  waysOf: (asked: Asked) => Promise<Way[]>,
): Page {
  const page = await searchedPage(
    cx,
    op,
    { columns: sql<Position>`t.id, t.time, t.entry_id`, from: positions },
    query,
    {
      keys: { time_and_id: timeKey('time') },
      ways: waysOf,
      maxLength: activityPage,
      examined: activityExamined,
    },
    (row) => row,
  )
  const { next_page, time_searched } = page
  return {
    items: await entriesAt(cx, page.items),
    next_page,
    time_searched: time_searched === null ? null : writtenTime(time_searched),
  }
}

interface Account {
  /** The condition of its records, which an index serves. */
  place: RawBuilder<unknown>
  unseen: readonly RawBuilder<unknown>[]
  /** Where names are found. */
  silo_id: string | undefined
}

/** By the index of the object, name or user that is asked for, otherwise along all of the account. */
async function ways(cx: Cx, asked: Filters, { place, unseen, silo_id }: Account): Promise<Way[]> {
  const { object, search, by, by_platform, kind, action, outcome, start_time, end_time } = asked
  const between = [
    isTold,
    ...(outcome ? [outcome === 'refused' ? sql`t.branch = 'refused'` : sql`t.branch <> 'refused'`] : []),
    ...(start_time ? [sql`t.time >= ${momentOf(start_time)}`] : []),
    ...(end_time ? [sql`t.time < ${momentOf(end_time)}`] : []),
  ]
  const ofObject = object ? [about(object)] : []
  const ofSearch = search ? [await found(cx, search, silo_id)] : []
  const ofUser = by ? [await isBy(cx, by, silo_id)] : []
  const others = [
    ...unseen,
    ...(by_platform ? [sql`t.actor_kind = 'system'`] : []),
    ...(kind?.length ? [sql`t.kind = ANY (${kind}::text[])`] : []),
    ...(action?.length ? [sql`t.action = ANY (${action}::text[])`] : []),
  ]
  const leads = [...ofObject, ...ofSearch, ...ofUser]
  const narrowed = (but?: Lead) => [
    ...leads.filter((lead) => lead !== but).map(({ condition }) => condition),
    ...others,
  ]
  const [first] = leads
  const all: Way = { led: [...between, isEntry, place], narrowed: narrowed() }
  return first
    ? [{ led: [...between, ...first.led], narrowed: [place, ...narrowed(first)], place: [place] }, all]
    : [all]
}

/** A condition that an index serves, alone or with what `led` adds to it. */
interface Lead {
  condition: RawBuilder<unknown>
  led: readonly RawBuilder<unknown>[]
}

/** Each entry once: at the record that makes it. */
const isEntry = sql`t.branch <> 'holder' AND (t.action IS NOT NULL OR t.is_refused)`

/** An object, and what belongs to it or is attached to it. */
function about(object: string): Lead {
  const condition = sql`t.subject_id = ${object}`
  return { condition, led: [condition] }
}

/** By the id of a request or of an object, otherwise by name; whatever else an entry tells of leads to it too. */
async function found(cx: Cx, search: string, silo_id: string | undefined): Promise<Lead> {
  if (!isUuid(search)) {
    const condition = sql`t.name = ${search}`
    // Names are found within a silo: others cannot make the search slow by using them too.
    const inSilo = silo_id === undefined ? sql`t.silo_id IS NULL` : sql`t.silo_id = ${silo_id}`
    return { condition, led: [sql`t.branch <> 'holder'`, condition, inSilo] }
  }
  const id = canonicalUuid(search)
  const { rows } = await sql`
    SELECT FROM change WHERE request_id = ${id} UNION ALL SELECT FROM audit WHERE request_id = ${id} LIMIT 1`.execute(
    cx.db,
  )
  const condition = sql`t.request_id = ${id}`
  return rows.length > 0 ? { condition, led: [isEntry, condition] } : about(id)
}

/** A user by name or id whom the caller may see, deleted ones included. Identity providers choose names, which can be UUIDs. */
async function isBy(cx: Cx, by: string, silo_id: string | undefined): Promise<Lead> {
  const named =
    silo_id === undefined ? sql`external_id = ${by}` : sql`external_id = ${by} AND silo_id = ${silo_id}`
  const byId = isUuid(by) ? sql`OR id = ${canonicalUuid(by)}` : sql``
  const { rows } = await sql<{ id: string; silo_id: string }>`
    SELECT id, silo_id FROM silo_user WHERE (${named}) ${byId}`.execute(cx.db)
  const ids = rows
    .filter((user) => cx.can('read', { class: 'siloUser', silo_id: user.silo_id }))
    .map(({ id }) => id)
  const condition = ids.length === 1 ? sql`t.user_id = ${ids[0]}` : sql`t.user_id = ANY (${ids}::uuid[])`
  return { condition, led: [isEntry, condition] }
}
