import type { AuditLogEntry, AuditRecord } from '@gantry/api/system/audit'
import {
  auditExportedChanges,
  auditListedChanges,
  type AuditResult,
  auditShownChanges,
  auditWholePage,
  isUnnamedActor,
} from '@gantry/api/system/audit.rules'
import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import { ops } from '@gantry/api/registry'
import { maxPageSize } from '@gantry/api/schema'
import { type RawBuilder, sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import { keysetPage } from '../../list/keyset-page.ts'
import { momentOf, timeKey } from '../../list/time-key.ts'
import { isOfPerson } from '../../lookup/location.ts'
import { addressOf, needFleet, needOwnSilo } from '../../lookup/need.ts'
import { changesOf } from './changes.ts'
import { changeView, entryView, type ReadChange } from './views.ts'

interface TimeQuery {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  sort_by?: string | null | undefined
  start_time?: string | null | undefined
  end_time?: string | null | undefined
}
interface RecordQuery extends TimeQuery {
  actor?: string | null | undefined
  operation?: readonly string[] | null | undefined
  object?: string | null | undefined
  result?: AuditResult | null | undefined
  whole?: boolean | null | undefined
}
type Page<Item> = Promise<{ items: Item[]; next_page: string | null }>

const keys = { time_and_id: timeKey('time_completed') }

/** By the time at which an operation ended (control plane reference, A 13). */
export async function listEntries(cx: Cx, query: TimeQuery): Page<AuditLogEntry> {
  needFleet(cx, 'list_children')
  const where = async (asked: TimeQuery) => inTime(asked)
  return keysetPage(cx, ops.auditLogList, 'audit', query, { keys, where }, entryView)
}

export async function listRecords(cx: Cx, query: RecordQuery): Page<AuditRecord> {
  needFleet(cx, 'list_children')
  return recordPage(cx, ops.auditRecordList, query, undefined)
}

/** The log of the caller's silo: requests of its users, and changes made there by others. */
export async function listSiloRecords(cx: Cx, query: RecordQuery): Page<AuditRecord> {
  const { silo_id } = needOwnSilo(cx, 'list_children', 'siloAuditLog')
  return recordPage(cx, ops.siloAuditRecordList, query, silo_id)
}

export async function viewRecord(cx: Cx, { record_id }: { record_id: string }): Promise<AuditRecord> {
  needFleet(cx, 'read')
  const row = await cx.db.selectFrom('audit').selectAll().where('id', '=', record_id).executeTakeFirst()
  if (!row) throw addressOf('audit-record', record_id)
  return recordOf(cx, row, undefined)
}

export async function viewSiloRecord(cx: Cx, { record_id }: { record_id: string }): Promise<AuditRecord> {
  const { silo_id } = needOwnSilo(cx, 'read', 'siloAuditLog')
  const row = await cx.db
    .selectFrom('audit')
    .selectAll()
    .where('id', '=', record_id)
    .where('silo_id', '=', silo_id)
    .executeTakeFirst()
  if (!row) throw addressOf('audit-record', record_id)
  return recordOf(cx, row, silo_id)
}

async function recordPage(
  cx: Cx,
  op: typeof ops.auditRecordList,
  query: RecordQuery,
  silo_id: string | undefined,
): Page<AuditRecord> {
  let isWhole = false
  const { items, next_page } = await keysetPage(
    cx,
    op,
    'audit',
    query,
    {
      keys,
      where: async (asked) => {
        isWhole = asked.whole === true
        return [...inTime(asked), ...(await filters(cx, asked, silo_id))]
      },
      maxLength: ({ whole }) => (whole ? auditWholePage : maxPageSize),
    },
    (row) => row,
  )
  const perRequest = isWhole ? auditExportedChanges : auditListedChanges
  return { items: await recordsOf(cx, items, { perRequest, isWhole, silo_id }), next_page }
}

const recordOf = async (cx: Cx, row: Row<'audit'>, silo_id: string | undefined): Promise<AuditRecord> => {
  const [record] = await recordsOf(cx, [row], { perRequest: auditShownChanges, isWhole: true, silo_id })
  if (!record) throw new Error('a row makes a record')
  return record
}

async function recordsOf(
  cx: Cx,
  rows: readonly Row<'audit'>[],
  wanted: Parameters<typeof changesOf>[2],
): Promise<AuditRecord[]> {
  const changes = await changesOf(cx, rows, wanted)
  const names = await namesOf(cx, rows, [...changes.values()])
  const tried = await triedNames(cx, rows)
  // Such a change names the user, or one of the caller's own credentials.
  const ownerOf = ({ object_id }: ReadChange, caller: Person | undefined): string | null =>
    (names.get(object_id) ?? caller)?.external_id ?? null
  return rows.map((row) => {
    const found = changes.get(row.request_id)
    const isOperator =
      wanted.silo_id !== undefined && row.actor.kind === 'silo_user' && row.actor.silo_id !== wanted.silo_id
    const who = isOperator ? undefined : names.get(row.silo_user_id ?? '')
    return {
      ...entryView(row),
      // An operator's address is none of the silo's business.
      ...(isOperator && { source_ip: null, user_agent: null }),
      actor_name: who?.external_id ?? null,
      actor_silo_name: who?.silo_name ?? null,
      tried_name: tried.get(row.request_id) ?? null,
      details: row.details,
      changes: (found?.changes ?? []).map((change) =>
        changeView(cx, change, wanted.isWhole, isOfPerson(change.kind) ? ownerOf(change, who) : null),
      ),
      change_count: found?.count ?? 0,
    }
  })
}

const inTime = ({ start_time, end_time }: TimeQuery): RawBuilder<unknown>[] => [
  ...(start_time ? [sql`t.time_completed >= ${momentOf(start_time)}`] : []),
  ...(end_time ? [sql`t.time_completed < ${momentOf(end_time)}`] : []),
]

async function filters(
  cx: Cx,
  { actor, operation, object, result, start_time }: RecordQuery,
  silo_id: string | undefined,
): Promise<RawBuilder<unknown>[]> {
  const conditions: RawBuilder<unknown>[] = []
  if (silo_id !== undefined) conditions.push(sql`t.silo_id = ${silo_id}`)
  if (actor) conditions.push(await isBy(cx, actor, silo_id))
  if (operation && operation.length > 0) conditions.push(sql`t.operation_id IN (${sql.join(operation)})`)
  if (result)
    conditions.push(result === 'error' ? sql`t.http_status_code >= 400` : sql`t.http_status_code < 400`)
  if (object) conditions.push(changed(object, silo_id, start_time))
  return conditions
}

/**
 * Users of that id or name, deleted ones included. Identity providers choose names of users and groups, which can be
 * UUIDs.
 */
async function isBy(cx: Cx, actor: string, silo_id: string | undefined): Promise<RawBuilder<unknown>> {
  // Without a user, or a refused attempt to sign in.
  if (isUnnamedActor(actor, 'unauthenticated'))
    return sql`(t.silo_user_id IS NULL OR t.http_status_code >= 400) AND t.actor->>'kind' = 'unauthenticated'`
  // The log of the installation names its operators.
  if (silo_id !== undefined && isUnnamedActor(actor, 'operator'))
    return sql`t.actor->>'kind' = 'silo_user' AND t.actor->>'silo_id' <> ${silo_id}`
  const users = cx.db.selectFrom('silo_user').select('id').where('external_id', '=', actor)
  const named = await (silo_id === undefined ? users : users.where('silo_id', '=', silo_id)).execute()
  const ids = named.map(({ id }) => id)
  if (isUuid(actor)) ids.push(canonicalUuid(actor))
  // No user of that name: attempts to sign in with it, as shown.
  if (ids.length === 0)
    return sql`t.request_id IN (SELECT f.request_id FROM failed_sign_in f WHERE f.username = ${actor})`
  // Only a single user's records are in the order of the page in their index.
  return ids.length === 1 ? sql`t.silo_user_id = ${ids[0]}` : sql`t.silo_user_id = ANY (${ids}::uuid[])`
}

/** A request's changes are made after it started, so none of a record in the window is older than a day before. */
const changed = (
  object: string,
  silo_id: string | undefined,
  start_time: string | null | undefined,
): RawBuilder<unknown> =>
  sql`t.request_id IN (SELECT c.request_id FROM change c
    WHERE c.request_id IS NOT NULL
    AND (c.name = ${object} ${isUuid(object) ? sql`OR c.object_id = ${canonicalUuid(object)}` : sql``})
    ${start_time ? sql`AND c.time >= ${momentOf(start_time)} - interval '1 day'` : sql``}
    ${silo_id === undefined ? sql`` : sql`AND c.silo_id = ${silo_id}`})`

interface Person {
  external_id: string
  silo_name: string
}

async function namesOf(
  cx: Cx,
  rows: readonly Row<'audit'>[],
  found: readonly { changes: readonly ReadChange[] }[],
): Promise<Map<string, Person>> {
  const owners = found
    .flatMap(({ changes }) => changes)
    .flatMap(({ kind, object_id }) => (isOfPerson(kind) ? [object_id] : []))
  const callers = rows.flatMap(({ silo_user_id }) => (silo_user_id ? [silo_user_id] : []))
  const ids = [...new Set([...callers, ...owners])]
  const people = await cx.db
    .selectFrom('silo_user')
    .innerJoin('silo', 'silo.id', 'silo_user.silo_id')
    .select(['silo_user.id', 'silo_user.external_id', 'silo.name as silo_name'])
    .where(sql<boolean>`silo_user.id = ANY (${ids}::uuid[])`)
    .execute()
  return new Map(people.map((row) => [row.id, row]))
}

/** The names that failed sign-ins tried, where no account of that name is known; kept for a shorter time. */
async function triedNames(cx: Cx, rows: readonly Row<'audit'>[]): Promise<Map<string, string>> {
  const failed = rows.filter(
    ({ actor, silo_user_id, http_status_code }) =>
      actor.kind === 'unauthenticated' && silo_user_id === null && http_status_code >= 400,
  )
  if (failed.length === 0) return new Map()
  const ids = failed.map(({ request_id }) => request_id)
  const found = await cx.db
    .selectFrom('failed_sign_in')
    .select(['request_id', 'username'])
    .where(sql<boolean>`request_id = ANY (${ids}::text[])`)
    .execute()
  return new Map(found.flatMap(({ request_id, username }) => (request_id ? [[request_id, username]] : [])))
}
