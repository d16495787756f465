import type { PastObject } from '@gantry/api/history/past'
import { type PastKind, type PastListKind, pastDeletedMax, pastPage } from '@gantry/api/history/past.rules'
import type { QueryOf } from '@gantry/api/op'
import { ops } from '@gantry/api/registry'
import { type RawBuilder, sql } from 'kysely'
import { readRows } from '../../authz/proven-reads.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid, notFound, unreadable } from '../../context/refusal.ts'
import type { AuditActor, Row } from '../../db/tables.ts'
import { keptFrom } from '../../stream/publisher.ts'
import { pageLength, pagerOf, textKey } from '../../list/keyset-page.ts'
import { momentOf } from '../../list/time-key.ts'
import { locationOfChange } from '../../lookup/location.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import type { Input } from '../../pipeline/implement.ts'
import { differences, fieldsOf } from './differences.ts'
import { large } from './member.ts'
import { namesOf } from './names.ts'
import { rebuilt, type Undone } from './rebuild.ts'
import { tableOf } from '../../lookup/table-of.ts'

type Contents = Row<'change'>['before']

/** One object as it was, for those who may see it where it is now, or was last. */
export async function viewPast(cx: Cx, { path, query }: Input<'pastObjectView'>): Promise<PastObject> {
  const { kind, at } = query
  const id = path.object_id
  const last = await lastOf(cx, kind, id)
  if (!last || !cx.can('read', locationOfChange(last))) throw notFound(kind, { id })
  refuseMoment(cx, at)
  const [[object], names] = await pastOf(cx, kind, [{ id, name: last.name }], at)
  return viewOf(object as Past, names)
}

/** The objects that a project had at a moment, by the names that they were last known by. */
export async function listPast(
  cx: Cx,
  query: QueryOf<typeof ops.pastObjectList>,
): Promise<{ items: PastObject[]; next_page: string | null }> {
  const pager = pagerOf(cx, ops.pastObjectList, query, { name: textKey('name', () => true) })
  const { kind, at, vpc, project } = pager.asked
  if (!kind || !at)
    throw unreadable(`unable to parse query string: missing field \`${kind ? 'at' : 'kind'}\``)
  const { row } = await need(cx, 'project', { project }, 'list_children')
  const inVpc = kind === 'vpc-firewall-rule' ? (await needVpc(cx, { project, vpc })).row.id : undefined
  refuseMoment(cx, at, row.time_created)
  const place = { kind, at, project_id: row.id, vpc_id: inVpc }
  await refuseTooMany(cx, place)
  const length = Math.min(pageLength(query.limit), pastPage)
  const rows = await readRows(
    cx,
    sql<{ id: string; name: string; '~key': string }>`
      SELECT t.id, t.name, t.name AS "~key" FROM ${objectsThen(place)} t
      ${pager.start ? sql`WHERE ${pager.after(pager.start)}` : sql``}
      ORDER BY ${pager.order('t')} LIMIT ${length + 1}`,
    { order: pager.order('page'), always: '~key' },
  )
  const page = rows.slice(0, length)
  cx.request.has_next_page = rows.length > length
  const lastRow = page.at(-1)
  const [found, names] = await pastOf(cx, kind, page, at)
  return {
    // One that was restored in between can have been in the bin at that moment.
    items: found.filter(({ contents }) => contents !== null).map((object) => viewOf(object, names)),
    next_page: lastRow ? pager.token(pager.placeOf(lastRow)) : null,
  }
}

function needVpc(cx: Cx, { project, vpc }: Selectors) {
  if (!vpc) throw invalid('firewall rules are listed by VPC', 'Name the VPC, too.')
  return need(cx, 'vpc', { project, vpc }, 'list_children')
}

/** How far the clocks of callers may be ahead. */
const clocksDifferMs = 60_000

/** Before the records begin nothing can be said, and nothing of what has not been yet. */
function refuseMoment(cx: Cx, at: string, begin?: Date): void {
  const moment = Date.parse(at)
  if (moment > cx.now().getTime() + clocksDifferMs)
    throw invalid('the moment is in the future', 'Choose one that has passed.')
  const kept = keptFrom(cx.services)
  const earliest = begin && begin > kept ? begin : kept
  if (moment >= earliest.getTime()) return
  throw invalid(
    'the moment is before the records begin',
    `The earliest possible moment is ${earliest.toISOString()}.`,
  )
}

interface Place {
  kind: PastListKind
  at: string
  project_id: string
  vpc_id: string | undefined
}

const deletedSince = ({ kind, at, project_id }: Place) =>
  sql`c.project_id = ${project_id} AND c.kind = ${kind} AND c.op = 'delete' AND c.time > ${momentOf(at)}`

/** All that was deleted since is read for each page, so it is bounded. */
async function refuseTooMany(cx: Cx, place: Place): Promise<void> {
  const { rows } = await sql<{ time: Date }>`
    SELECT c.time FROM change c WHERE ${deletedSince(place)} ORDER BY c.time DESC
    OFFSET ${pastDeletedMax} LIMIT 1`.execute(cx.db)
  const [excess] = rows
  if (!excess) return
  throw invalid(
    `more than ${pastDeletedMax} of them were deleted since`,
    `The earliest moment whose list can be shown is ${excess.time.toISOString()}.`,
  )
}

/** Those that exist and did so then, and those that were deleted since. */
function objectsThen(place: Place): RawBuilder<unknown> {
  const { kind, at, project_id, vpc_id } = place
  const table = sql.table(tableOf(kind))
  const inPlace = vpc_id === undefined ? sql`o.project_id = ${project_id}` : sql`o.vpc_id = ${vpc_id}`
  const wasInPlace = vpc_id === undefined ? sql`true` : sql`c.before->>'vpc_id' = ${vpc_id}`
  return sql`(
    SELECT o.id, o.name::text AS name FROM ${table} o
    WHERE ${inPlace} AND o.time_deleted IS NULL AND o.time_created <= ${momentOf(at)}
    UNION ALL SELECT c.object_id, max(c.name) FROM change c
    WHERE ${deletedSince(place)} AND ${wasInPlace} AND (c.before->>'time_created')::timestamptz <= ${momentOf(at)}
      AND NOT EXISTS (SELECT FROM ${table} o WHERE o.id = c.object_id AND o.time_deleted IS NULL)
    GROUP BY c.object_id)`
}

interface Past {
  id: string
  kind: PastKind
  name: string | null
  contents: Contents
  now: Contents
  time_changed: Date | null
}

/** Objects as they were, and the names of what they refer to. Each costs two look-ups, however often it changed. */
async function pastOf(
  cx: Cx,
  kind: PastKind,
  objects: readonly { id: string; name: string | null }[],
  at: string,
): Promise<[Past[], ReadonlyMap<string, string>]> {
  const ids = objects.map(({ id }) => id)
  if (ids.length === 0) return [[], new Map()]
  const [live, next] = await Promise.all([rowsOf(cx, kind, ids), firstAfter(cx, kind, ids, at)])
  const past = objects.map(({ id, name }) => {
    const now = live.get(id) ?? null
    const change = next.get(id)
    const contents = rebuilt(now, change ? [change] : [])
    const own = contents?.name
    return {
      id,
      kind,
      name: typeof own === 'string' ? own : name,
      contents,
      now,
      time_changed: change?.time ?? null,
    }
  })
  return [
    past,
    await namesOf(
      cx,
      past.map(({ contents, now }) => [fieldsOf(contents), fieldsOf(now)]),
    ),
  ]
}

/** As a change would record them. */
async function rowsOf(
  cx: Cx,
  kind: PastKind,
  ids: readonly string[],
): Promise<Map<string, NonNullable<Contents>>> {
  const { rows } = await sql<{ id: string }>`
    SELECT * FROM ${sql.table(tableOf(kind))} WHERE id = ANY (${ids}::uuid[]) AND time_deleted IS NULL`.execute(
    cx.db,
  )
  return new Map(
    rows.map((row) => {
      const kept = Object.entries(row).filter(([column]) => !large.includes(column))
      return [row.id, JSON.parse(JSON.stringify(Object.fromEntries(kept))) as NonNullable<Contents>]
    }),
  )
}

interface Next extends Undone {
  id: string
  time: Date
}

/** The first change of each object after a moment. */
async function firstAfter(
  cx: Cx,
  kind: PastKind,
  ids: readonly string[],
  at: string,
): Promise<Map<string, Next>> {
  const { rows } = await sql<Next>`
    SELECT asked.id, found.* FROM unnest(${ids}::uuid[]) asked (id)
    CROSS JOIN LATERAL (
      SELECT c.time, c.generation, c.before - ${large}::text[] AS before FROM change c
      WHERE c.object_id = asked.id AND c.kind = ${kind} AND c.time > ${momentOf(at)}
      ORDER BY c.time, c.generation LIMIT 1
    ) found`.execute(cx.db)
  return new Map(rows.map((row) => [row.id, row]))
}

interface Last {
  id: string
  kind: string
  name: string | null
  silo_id: string | null
  project_id: string | null
  actor: AuditActor
}

const lastOf = (cx: Cx, kind: PastKind, id: string): Promise<Last | undefined> =>
  cx.db
    .selectFrom('change')
    .select(['object_id as id', 'kind', 'name', 'silo_id', 'project_id', 'actor'])
    .where('object_id', '=', id)
    .where('kind', '=', kind)
    .orderBy('time', 'desc')
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirst()

const viewOf = (
  { id, kind, name, contents, now, time_changed }: Past,
  names: ReadonlyMap<string, string>,
): PastObject => ({
  id,
  kind,
  name,
  fields: contents && fieldsOf(contents, names),
  differences: contents && now ? differences(contents, now, names) : [],
  is_gone: now === null,
  time_changed: time_changed?.toISOString() ?? null,
})
