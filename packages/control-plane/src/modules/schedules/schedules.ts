import { isUuid, canonicalUuid } from '@gantry/api/base/name.rules'
import { readFilter } from '@gantry/api/filter/filter.rules'
import { ops } from '@gantry/api/registry'
import { keepProblem } from '@gantry/api/schedules/keep.rules'
import type { Schedule, ScheduleCreate, ScheduleUpdate } from '@gantry/api/schedules/schedule'
import {
  actedOn,
  makesCopies,
  nextTimes,
  type ScheduleAction,
  type Timing,
  timingProblem,
} from '@gantry/api/schedules/schedule.rules'
import { isTimeZone } from '@gantry/api/schedules/times.rules'
import { sql } from 'kysely'
import { type Change, change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid, invalidValue } from '../../context/refusal.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { badFilter } from '../../list/filter/compile.ts'
import { filteredPage } from '../../list/filter/filtered-page.ts'
import { addressOf, need, type Selectors } from '../../lookup/need.ts'
import { resourceView } from '../../lookup/views.ts'
import type { Input } from '../../pipeline/implement.ts'
import { placeFor } from '../backups/create.ts'
import { setClock } from './clock-row.ts'

type Saved = Row<'schedule'>

export async function listSchedules(cx: Cx, { query }: Input<'scheduleList'>) {
  const { items, next_page } = await filteredPage<'schedule', typeof query, Saved>(
    cx,
    ops.scheduleList,
    'schedule',
    query,
    (row) => row,
  )
  return { items: await viewsOf(cx, cx.db, items), next_page }
}

export async function viewSchedule(cx: Cx, at: Selectors): Promise<Schedule> {
  const { row } = await need(cx, 'schedule', at, 'read')
  return viewOf(cx, cx.db, row)
}

export async function createSchedule(cx: Cx, at: Selectors, body: ScheduleCreate): Promise<Schedule> {
  const { row: project, scope } = await need(cx, 'project', at, 'create_child')
  const { name, description, action, timing, timezone, keep = null, is_enabled } = body
  refuseBadTiming(timing, timezone)
  if (keep) refuseBadKeep(action, keep)
  const target = await targetOf(
    cx,
    action,
    body.target ?? (action === 'back_up' ? { type: 'default' } : null),
  )
  return change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    if (target?.type === 'named') await tx.hold('backup_target', target.backup_target)
    const targets = await targetsOf(tx, project.id, action, body)
    if (!targets) throw invalid('either objects or a filter must be given', oneOfThem)
    const row = await tx.insert('schedule', {
      name,
      description,
      project_id: project.id,
      action,
      ...targets,
      timing: JSON.stringify(timing),
      timezone,
      keep: keep && JSON.stringify(keep),
      target: target && JSON.stringify(target),
      is_enabled,
    })
    await setClock(tx, row)
    return viewOf(cx, tx.read, row)
  })
}

export async function updateSchedule(cx: Cx, at: Selectors, body: ScheduleUpdate): Promise<Schedule> {
  const { row: found, scope } = await need(cx, 'schedule', at, 'modify')
  const target = await targetOf(cx, found.action, body.target)
  return change(cx, scope, async (tx) => {
    const row = await tx.lock('schedule', found)
    if (target?.type === 'named') await tx.hold('backup_target', target.backup_target)
    const timing = body.timing ?? row.timing
    const timezone = body.timezone ?? row.timezone
    refuseBadTiming(timing, timezone)
    const keep = body.keep === 'none' ? null : (body.keep ?? row.keep)
    if (keep) refuseBadKeep(row.action, keep)
    const is_enabled = body.is_enabled ?? row.is_enabled
    const saved = await tx.update('schedule', row, {
      name: body.name ?? row.name,
      description: body.description ?? row.description,
      ...(await targetsOf(tx, row.project_id, row.action, body)),
      timing: JSON.stringify(timing),
      timezone,
      keep: keep && JSON.stringify(keep),
      ...(target && { target: JSON.stringify(target) }),
      is_enabled,
    })
    // Anything else leaves alone what is due, also what was due while no server ran.
    if (
      is_enabled !== row.is_enabled ||
      timezone !== row.timezone ||
      JSON.stringify(timing) !== JSON.stringify(row.timing)
    )
      await setClock(tx, saved)
    return viewOf(cx, tx.read, saved)
  })
}

export async function deleteSchedule(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'schedule', at, 'modify')
  await change(cx, scope, async (tx) => {
    await tx.remove('schedule', await tx.lock('schedule', row))
    await tx.plain.deleteFrom('schedule_clock').where('schedule_id', '=', row.id).execute()
    await tx.plain.deleteFrom('schedule_made').where('schedule_id', '=', row.id).execute()
  })
}

function refuseBadTiming(timing: Timing, zone: string): void {
  const problem = timingProblem(timing)
  if (problem) throw invalidValue('timing', problem, `${problem}.`)
  if (!isTimeZone(zone))
    throw invalidValue(
      'timezone',
      'unknown time zone',
      'Name one of the time zone database, such as Europe/Berlin.',
    )
}

function refuseBadKeep(action: ScheduleAction, keep: NonNullable<Saved['keep']>): void {
  if (!makesCopies(action))
    throw invalidValue('keep', 'this schedule makes no snapshots and no backups', 'Leave keep out.')
  const problem = keepProblem(keep)
  if (problem) throw invalidValue('keep', problem, `${problem}.`)
}

/** Where a schedule writes, as it is stored: by id. */
async function targetOf(
  cx: Cx,
  action: ScheduleAction,
  target: ScheduleCreate['target'],
): Promise<Saved['target']> {
  if (!target) return null
  if (action !== 'back_up')
    throw invalidValue('target', 'this schedule makes no backups', 'Leave target out.')
  if (target.type === 'default') return target
  const { id } = await placeFor(cx, target.backup_target)
  return { type: 'named', backup_target: id }
}

const oneOfThem = 'Name the objects, or send a filter.'

type Given = Pick<ScheduleUpdate, 'objects' | 'filter'>

/** What the request says of the objects, if anything: those of the project by id, or a filter that can be read. */
async function targetsOf(tx: Change, project_id: string, action: ScheduleAction, { objects, filter }: Given) {
  const hasObjects = objects !== undefined && objects !== null
  const hasFilter = filter !== undefined && filter !== null
  if (!hasObjects && !hasFilter) return undefined
  if (hasObjects && hasFilter) throw invalid('either objects or a filter must be given', oneOfThem)
  const kind = actedOn[action]
  if (hasFilter) {
    const { problem } = readFilter(kind, filter, tx.cx.now().getTime())
    if (problem) throw badFilter(problem.message, problem)
    return { objects: null, filter }
  }
  if (objects?.length === 0) throw invalid('no objects are given', oneOfThem)
  const ids = await idsOf(tx, kind, project_id, objects ?? [])
  return { objects: JSON.stringify(ids), filter: null }
}

async function idsOf(
  tx: Change,
  kind: 'disk' | 'instance',
  project_id: string,
  selectors: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM ${sql.table(kind)} WHERE project_id = ${project_id} AND time_deleted IS NULL
      AND (id = ANY (${selectors.filter(isUuid).map(canonicalUuid)}::uuid[])
        OR name = ANY (${selectors.filter((one) => !isUuid(one))}::text[]))`.execute(tx.plain)
  const known = new Map(rows.flatMap(({ id, name }) => [[id, id] as const, [name, id] as const]))
  const ids = selectors.map((one) => {
    const id = known.get(isUuid(one) ? canonicalUuid(one) : one)
    if (id === undefined) throw addressOf(kind, one)
    return id
  })
  return [...new Set(ids)]
}

async function viewOf(cx: Cx, db: Reader, row: Saved): Promise<Schedule> {
  const [view] = await viewsOf(cx, db, [row])
  if (!view) throw new Error('a row makes a view')
  return view
}

async function viewsOf(cx: Cx, db: Reader, rows: readonly Saved[]): Promise<Schedule[]> {
  if (rows.length === 0) return []
  const objects = [...new Set(rows.flatMap(({ objects }) => objects ?? []))]
  const names = await sql<{ id: string; name: string }>`
    SELECT id, name FROM disk WHERE id = ANY (${objects}::uuid[]) AND time_deleted IS NULL
    UNION ALL SELECT id, name FROM instance WHERE id = ANY (${objects}::uuid[]) AND time_deleted IS NULL`.execute(
    db,
  )
  const nameOf = new Map(names.rows.map(({ id, name }) => [id, name]))
  const named = rows.flatMap(({ target }) => (target?.type === 'named' ? [target.backup_target] : []))
  const places =
    named.length === 0
      ? []
      : await db
          .selectFrom('backup_target')
          .select(['id', 'name'])
          .where('id', 'in', named)
          .where('time_deleted', 'is', null)
          .execute()
  const placeOf = new Map(places.map(({ id, name }) => [id, name]))
  const last = await sql<Pick<Row<'schedule_run'>, 'id' | 'schedule_id' | 'due' | 'state'>>`
    SELECT run.* FROM unnest(${rows.map(({ id }) => id)}::uuid[]) asked (id)
    CROSS JOIN LATERAL (SELECT id, schedule_id, due, state FROM schedule_run WHERE schedule_id = asked.id
      ORDER BY due DESC LIMIT 1) run`.execute(db)
  const lastOf = new Map(last.rows.map((run) => [run.schedule_id, run]))
  const now = cx.now().getTime()
  return rows.map((row) => {
    const { project_id, action, filter, timing, timezone, keep, target, is_enabled } = row
    const run = lastOf.get(row.id)
    return resourceView<Schedule>(row, {
      project_id,
      action,
      objects: row.objects?.map((id) => ({ id, name: nameOf.get(id) ?? null })) ?? null,
      filter,
      timing: timing as Schedule['timing'],
      timezone,
      keep,
      target:
        target?.type === 'named' ? { ...target, name: placeOf.get(target.backup_target) ?? null } : target,
      is_enabled,
      next_runs: is_enabled
        ? nextTimes(timing, timezone, now).map((time) => new Date(time).toISOString())
        : [],
      last_run: run ? { id: run.id, due: run.due.toISOString(), state: run.state } : null,
    })
  })
}
