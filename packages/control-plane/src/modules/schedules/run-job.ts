import type { Refused } from '@gantry/api/extensions'
import {
  actedOn,
  makesCopies,
  type ScheduleAction,
  scheduleLimits,
} from '@gantry/api/schedules/schedule.rules'
import { operationId, type OpName, ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import { z } from 'zod'
import { change } from '../../change/change.ts'
import { defineJob } from '../../change/define-job.ts'
import { type Alongside, Cx, requestInfo, systemCx } from '../../context/cx.ts'
import { invalid, Refusal, refusedAs } from '../../context/refusal.ts'
import type { Services } from '../../context/services.ts'
import type { Row } from '../../db/tables.ts'
import { compileFilter } from '../../list/filter/compile.ts'
import { placeInProject } from '../../list/filter/place.ts'
import { inPlace } from '../../list/filter/search-bounds.ts'
import { failureOf } from '../../work/jobs.ts'
import { createBackup } from '../backups/create.ts'
import { startInstance, stopInstance } from '../compute/instances/power.ts'
import { takeInstanceSnapshot } from '../instance-snapshots/take.ts'
import { createSnapshot } from '../storage/snapshots.ts'

export type Run = Row<'schedule_run'>
type Item = Row<'schedule_run_item'>
/** What the rows of a run say of its schedule; the schedule itself may be deleted meanwhile. */
type Scheduled = Pick<Row<'schedule'>, 'action' | 'objects' | 'filter' | 'target'>

/** Objects processed concurrently. */
const concurrency = 4

const named = ({ snapshot_name }: Item, { schedule_name, due }: Run) => ({
  name: snapshot_name ?? '',
  description: `By schedule ${schedule_name}, due ${due.toISOString()}`,
})
const idIn = ({ snapshot_id }: Item): string | undefined => snapshot_id ?? undefined

/** The target that a schedule names, if it still exists. */
async function livePlace(cx: Cx, id: string): Promise<string> {
  const place = await cx.db
    .selectFrom('backup_target')
    .select('id')
    .where('id', '=', id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (place) return place.id
  throw invalid(
    'the backup target of the schedule no longer exists',
    'Edit the schedule, and select another one.',
  )
}

const singleCalls = {
  start: { op: 'instanceStart', run: (cx, { object_id }) => startInstance(cx, { instance: object_id }) },
  stop: { op: 'instanceStop', run: (cx, { object_id }) => stopInstance(cx, { instance: object_id }) },
  snapshot_disk: {
    op: 'snapshotCreate',
    run: (cx, item, run) =>
      createSnapshot(
        cx,
        { project: run.project_id },
        { ...named(item, run), disk: item.object_id },
        idIn(item),
      ),
  },
  snapshot_instance: {
    op: 'instanceSnapshotCreate',
    run: (cx, item, run) =>
      takeInstanceSnapshot(
        cx,
        { project: run.project_id },
        { ...named(item, run), instance: item.object_id },
        idIn(item),
      ),
  },
  back_up: {
    op: 'instanceBackupCreate',
    run: async (cx, item, run, { target }) =>
      createBackup(
        cx,
        { project: run.project_id },
        {
          ...named(item, run),
          instance: item.object_id,
          ...(target?.type === 'named' && { backup_target: await livePlace(cx, target.backup_target) }),
        },
        idIn(item),
      ),
  },
} as const satisfies Record<
  ScheduleAction,
  { op: OpName; run: (cx: Cx, item: Item, run: Run, schedule: Scheduled) => Promise<unknown> }
>

/** Finds the objects of a run, once, and begins what is to be done to each. */
export const scheduleRun = defineJob(
  'schedule-run',
  z.object({ run_id: z.string() }),
  async (cx, { run_id }) => {
    const [run, schedule] = await found(cx, run_id)
    if (!run || !schedule) return
    if (run.total === null) await findObjects(cx, run, schedule)
    const left = await pendingOf(cx, run_id)
    const later: unknown[] = []
    const worker = async (): Promise<void> => {
      for (let item = left.shift(); item; item = left.shift()) {
        cx.services.ending.throwIfAborted()
        await perform(cx.services, run, schedule, item).catch((error: unknown) => later.push(error))
      }
    }
    const workers = await Promise.allSettled(Array.from({ length: concurrency }, worker))
    const stopped = workers.find((one) => one.status === 'rejected')
    if (stopped) throw stopped.reason
    if (later.length > 0) throw later[0]
  },
  {
    maxAttempts: 10,
    async gaveUp(cx, { run_id }, error) {
      const [run] = await found(cx, run_id)
      if (!run) return
      const { code, message, next_step } = failureOf(error, cx.now(), 'It could not be done.')
      if (run.total === null) return failRun(cx, run, message)
      for (const item of await pendingOf(cx, run_id))
        await fail(cx.services, run, item, { code, message, help: next_step })
    },
  },
)

/** A run that has not ended, with its schedule. */
async function found(cx: Cx, id: string): Promise<[Run | undefined, Scheduled | undefined]> {
  const run = await cx.db
    .selectFrom('schedule_run')
    .selectAll()
    .where('id', '=', id)
    .where('time_ended', 'is', null)
    .executeTakeFirst()
  const schedule = await (run &&
    cx.db
      .selectFrom('schedule')
      .select(['action', 'objects', 'filter', 'target'])
      .where('id', '=', run.schedule_id)
      .executeTakeFirst())
  return [run, schedule]
}

const pendingOf = (cx: Cx, run_id: string): Promise<Item[]> =>
  cx.db
    .selectFrom('schedule_run_item')
    .selectAll()
    .where('run_id', '=', run_id)
    .where('state', '=', 'pending')
    .orderBy('position')
    .execute()

/** Stores what the run is about. The change that does so is the only one, whatever ends in between. */
async function findObjects(cx: Cx, run: Run, { action, objects, filter }: Scheduled): Promise<void> {
  const kind = actedOn[action]
  let which = sql`t.id = ANY (${objects ?? []}::uuid[])`
  const place = placeInProject(run.project_id)
  // A read-only disk has nothing that its source has not, and a local one is not copied.
  const canBe = kind === 'disk' ? sql`NOT t.read_only AND t.disk_type <> 'local'` : sql`true`
  if (filter !== null) {
    try {
      const { condition } = compileFilter(cx, kind, filter, place)
      which = sql`${condition ?? sql`true`}`
    } catch (error) {
      // The grammar of a later version may refuse what an earlier one stored.
      if (!(error instanceof Refusal)) throw error
      return failRun(cx, run, `The filter cannot be read: ${error.message}`)
    }
  }
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT t.id, t.name FROM ${sql.table(kind)} t WHERE ${inPlace(kind, place)} AND ${canBe} AND ${which}
    ORDER BY t.name LIMIT ${scheduleLimits.objects + 1}`.execute(cx.db)
  if (rows.length > scheduleLimits.objects)
    return failRun(cx, run, `More than ${scheduleLimits.objects} objects match. Narrow the filter.`)
  await change(cx, run, async (tx) => {
    const { numUpdatedRows } = await tx.plain
      .updateTable('schedule_run')
      .set({ total: rows.length, reason: rows.length === 0 ? 'There was nothing to do.' : null })
      .where('id', '=', run.id)
      .where('total', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n || rows.length === 0) return
    const items = rows.map(({ id, name }, position) => ({
      run_id: run.id,
      position,
      object_id: id,
      name,
      state: 'pending' as const,
      error: null,
      ...snapshotOf(cx, run, action, name),
    }))
    await tx.plain.insertInto('schedule_run_item').values(items).execute()
  })
}

/** The snapshot or backup that is to be made: names are unique in a project, so a part of the id ends this one. */
function snapshotOf(cx: Cx, { due }: Run, action: ScheduleAction, name: string) {
  if (!makesCopies(action)) return { snapshot_id: null, snapshot_name: null }
  const snapshot_id = cx.newId()
  const time = due.toISOString().replace(/[-:]/g, '').slice(0, 13).toLowerCase()
  const whose = name.slice(0, 40).replace(/-+$/, '')
  return { snapshot_id, snapshot_name: `${whose}-${time}-${snapshot_id.slice(-6)}` }
}

/** Ends a run that could not begin. */
export const failRun = (cx: Cx, run: Run, reason: string): Promise<void> =>
  change(cx, run, async (tx) => {
    const { numUpdatedRows } = await tx.plain
      .updateTable('schedule_run')
      .set({ state: 'failed', reason, total: 0, time_ended: cx.now() })
      .where('id', '=', run.id)
      .where('time_ended', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n)
      tx.note('schedule-run', run.id, undefined, { state: 'failed', schedule_id: run.schedule_id })
  })

/** Another process took the job over and finished first; this attempt is rolled back. */
class AlreadySettled extends Error {}

/**
 * Does it to one object through the service of the single call, which has all of its checks. The result is written in the
 * same transaction, so that nothing runs twice.
 */
async function perform(services: Services, run: Run, schedule: Scheduled, item: Item): Promise<void> {
  const { op, run: call } = singleCalls[schedule.action]
  const cx = scheduleCx(services, run, op, item.position)
  cx.guard = async (tx) => {
    if (!(await isPending(tx, item))) throw new AlreadySettled()
  }
  cx.alongside = async (tx) => {
    if (!(await settle(tx, item, { state: 'under_way' }))) throw new AlreadySettled()
    if (item.snapshot_id === null) return
    const { schedule_id, due } = run
    const made = { snapshot_id: item.snapshot_id, schedule_id, object_id: item.object_id, time: due }
    await tx.plain.insertInto('schedule_made').values(made).execute()
  }
  try {
    await call(cx, item, run, schedule)
  } catch (error) {
    if (error instanceof AlreadySettled) return
    if (!(error instanceof Refusal) || error.code === 'ServiceNotAvailable') throw error
    await fail(services, run, item, refusedAs(error))
  }
}

/** The platform on behalf of a schedule. Its request id tells the steps of a run from each other, and from tasks. */
export function scheduleCx(services: Services, run: Run, op: OpName, step: number | string): Cx {
  const schedule = { id: run.schedule_id, name: run.schedule_name }
  const info = { id: `${run.id}/${step}`, operation: operationId(op), status: ops[op].status }
  return new Cx(services, { kind: 'system', schedule }, requestInfo(services, info))
}

const fail = (services: Services, run: Run, item: Item, error: Refused): Promise<void> =>
  change(systemCx(services, 'job:schedule-run'), run, async (tx) => {
    await settle(tx, item, { state: 'failed', error: JSON.stringify(error) })
  })

/** Locks the item, so that no other process stores a result until the change ends. */
const isPending = async ({ plain }: Alongside, { run_id, position }: Item): Promise<boolean> =>
  (await plain
    .selectFrom('schedule_run_item')
    .select('position')
    .where('run_id', '=', run_id)
    .where('position', '=', position)
    .where('state', '=', 'pending')
    .forUpdate()
    .executeTakeFirst()) !== undefined

/** Stores the result and publishes it; false if it was stored before. */
async function settle(
  tx: Alongside,
  { run_id, position }: Item,
  result: { state: 'under_way' } | { state: 'failed'; error: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.plain
    .updateTable('schedule_run_item')
    .set(result)
    .where('run_id', '=', run_id)
    .where('position', '=', position)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  tx.note('schedule-run', run_id, undefined, { position })
  return numUpdatedRows > 0n
}
