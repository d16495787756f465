import { bulkActionLimits, bulkOutcome, missedWords } from '@gantry/api/compute/instance-action.rules'
import type { Refused } from '@gantry/api/extensions'
import { kept } from '@gantry/api/schedules/keep.rules'
import { copyNoun, madeBy, makesCopies, type ScheduleAction } from '@gantry/api/schedules/schedule.rules'
import type { OpName } from '@gantry/api/registry'
import { sql } from 'kysely'
import { change } from '../../change/change.ts'
import { type Cx, systemCx } from '../../context/cx.ts'
import { Refusal } from '../../context/refusal.ts'
import type { Services } from '../../context/services.ts'
import type { Row } from '../../db/tables.ts'
import { eachInTurn } from '../../work/loop.ts'
import { demandedBy } from '../plans/four-eyes.ts'
import { deleteBackup } from '../backups/delete.ts'
import { deleteInstanceSnapshot } from '../instance-snapshots/delete.ts'
import { deleteSnapshot } from '../storage/snapshots.ts'
import { type Run, scheduleCx } from './run-job.ts'

/** Open runs that are read together. */
const batch = 100
/** Old snapshots of a run that are deleted before other runs have their turn. */
const deletedAtOnce = 20

/** Notes what became of the objects of all open runs, and ends those that are over; whether any is still open. */
export async function settleRuns(services: Services): Promise<boolean> {
  let last: string | undefined
  for (;;) {
    const open = await services.db
      .selectFrom('schedule_run')
      .selectAll()
      .where('time_ended', 'is', null)
      .$if(last !== undefined, (query) => query.where('id', '>', last ?? ''))
      .orderBy('id')
      .limit(batch)
      .execute()
    await eachInTurn(services, 'schedules', open, (run) => settleRun(services, run))
    if (open.length < batch || services.ending.aborted) return last !== undefined || open.length > 0
    last = open.at(-1)?.id
  }
}

interface Open extends Pick<Row<'schedule_run_item'>, 'position' | 'state'> {
  run_state: Row<'instance'>['run_state'] | null
  time_run_state_updated: Date | null
  failure: Row<'instance'>['failure']
  /** Of a snapshot of a disk or of a whole instance, or of a backup. */
  snapshot_state: Row<'snapshot'>['state'] | Row<'instance_backup'>['state'] | null
}

async function settleRun(services: Services, run: Run): Promise<void> {
  if (run.total === null) return
  const cx = systemCx(services, 'reconcile:schedules')
  const schedule = await cx.db
    .selectFrom('schedule')
    .select(['action', 'keep', 'timezone', 'time_deleted'])
    .where('id', '=', run.schedule_id)
    .executeTakeFirst()
  // What was deleted long ago leaves nothing to wait for.
  const items = schedule ? await openItems(cx, run.id) : []
  const settled = items.flatMap((item) => {
    const result = schedule && resultOf(schedule.action, item, cx.now())
    return result ? [{ position: item.position, ...result }] : []
  })
  if (settled.length > 0)
    await change(cx, run, async (tx) => {
      for (const { position, ...result } of settled)
        await tx.plain
          .updateTable('schedule_run_item')
          .set(result)
          .where('run_id', '=', run.id)
          .where('position', '=', position)
          .where('state', '=', 'under_way')
          .execute()
      tx.note('schedule-run', run.id, undefined, { settled: settled.length })
    })
  if (settled.length < items.length) return
  const keep = schedule && !schedule.time_deleted ? schedule.keep : null
  const action = schedule && makesCopies(schedule.action) ? schedule.action : undefined
  const old = schedule && keep && action && (await deleteOld(services, run, action, keep, schedule.timezone))
  if (!old?.isMore) await endRun(cx, run, old?.problem ?? run.reason)
}

const openItems = async (cx: Cx, run_id: string): Promise<Open[]> => {
  const { rows } = await sql<Open>`
    SELECT item.position, item.state, i.run_state, i.time_run_state_updated,
      CASE WHEN item.snapshot_id IS NULL THEN i.failure ELSE coalesce(s.failure, w.failure, b.failure) END AS failure,
      coalesce(s.state, w.state, b.state) AS snapshot_state
    FROM schedule_run_item item
    LEFT JOIN instance i ON i.id = item.object_id AND i.time_deleted IS NULL
    LEFT JOIN snapshot s ON s.id = item.snapshot_id AND s.time_deleted IS NULL
    LEFT JOIN instance_snapshot w ON w.id = item.snapshot_id AND w.time_deleted IS NULL
    LEFT JOIN instance_backup b ON b.id = item.snapshot_id AND b.time_deleted IS NULL
    WHERE item.run_id = ${run_id} AND item.state IN ('pending', 'under_way')`.execute(cx.db)
  return rows
}

/** What became of an object; undefined while that is open. */
function resultOf(
  action: ScheduleAction,
  item: Open,
  now: Date,
): { state: 'done' } | { state: 'failed'; error: string } | undefined {
  if (item.state === 'pending') return undefined
  const failed = (message: string, help: string) => {
    const { failure } = item
    const own = failure && { code: failure.code, message: failure.message, help: failure.next_step }
    const error: Refused = own ?? { code: 'Conflict', message, help }
    return { state: 'failed', error: JSON.stringify(error) } as const
  }
  if (makesCopies(action)) {
    if (item.snapshot_state === 'creating') return undefined
    // Verified already: it was whole before.
    if (item.snapshot_state === 'ready' || item.snapshot_state === 'verifying') return { state: 'done' }
    const noun = copyNoun(action)
    return item.snapshot_state === null
      ? failed(`The ${noun} was deleted meanwhile.`, '')
      : failed(`The ${noun} could not be created.`, 'Make one by hand, or wait for the next run.')
  }
  const state = item.run_state ?? undefined
  const outcome = bulkOutcome(action, state)
  if (outcome === 'reached') return { state: 'done' }
  const waited = now.getTime() - (item.time_run_state_updated ?? now).getTime()
  if (outcome === 'under_way' && waited < bulkActionLimits.settleMinutes * 60_000) return undefined
  return failed(missedWords(action, state), state === undefined ? '' : 'Look at the instance.')
}

const deletions = {
  snapshot_disk: {
    op: 'snapshotDelete',
    table: 'snapshot',
    run: (cx, snapshot) => deleteSnapshot(cx, { snapshot }),
  },
  snapshot_instance: {
    op: 'instanceSnapshotDelete',
    table: 'instance_snapshot',
    run: (cx, instance_snapshot) => deleteInstanceSnapshot(cx, { instance_snapshot }),
  },
  back_up: {
    op: 'instanceBackupDelete',
    table: 'instance_backup',
    run: (cx, instance_backup) => deleteBackup(cx, { instance_backup }),
  },
} as const satisfies Record<
  keyof typeof madeBy,
  { op: OpName; table: string; run: (cx: Cx, id: string) => Promise<unknown> }
>

/**
 * Deletes what the keep rule does not name, of the snapshots or backups that this schedule made of the objects of this run. Each
 * deletion counts itself in its own transaction. Says why any was kept against the rule, and whether more are left for the
 * next turn.
 */
async function deleteOld(
  services: Services,
  run: Run,
  action: keyof typeof deletions,
  keep: NonNullable<Row<'schedule'>['keep']>,
  zone: string,
): Promise<{ problem?: string | undefined; isMore?: boolean }> {
  const { op, table, run: remove } = deletions[action]
  // One that failed is not good, so it neither counts nor stays.
  const { rows } = await sql<{ id: string; object_id: string; time: Date; state: Row<'snapshot'>['state'] }>`
    SELECT s.id, made.object_id, made.time, s.state FROM schedule_made made
    JOIN ${sql.table(table)} s ON s.id = made.snapshot_id AND s.time_deleted IS NULL AND s.state IN ('ready', 'faulted')
    WHERE made.schedule_id = ${run.schedule_id}
      AND made.object_id IN (SELECT object_id FROM schedule_run_item WHERE run_id = ${run.id} AND state = 'done')
    ORDER BY made.time`.execute(services.db)
  const old = [...new Set(rows.map(({ object_id }) => object_id))].flatMap((object) => {
    const made = rows.flatMap(({ id, object_id, time, state }) =>
      object_id === object ? [{ id, time: time.getTime(), state }] : [],
    )
    const good = made.filter(({ state }) => state === 'ready')
    const stay = kept(good, keep, zone)
    return made.filter((one) => !stay.has(one))
  })
  if (old.length === 0) return {}
  if ((await demandedBy(services.db, run.silo_id)).includes('deletions'))
    return { problem: `Old ${copyNoun(action)}s stay, because deletions need a second person in this silo.` }
  let problem: string | undefined
  let deleted = 0
  for (const { id } of old) {
    if (deleted === deletedAtOnce) return { isMore: true }
    services.ending.throwIfAborted()
    const cx = scheduleCx(services, run, op, id)
    cx.alongside = async ({ plain }) => {
      await plain.deleteFrom('schedule_made').where('snapshot_id', '=', id).execute()
      await plain
        .updateTable('schedule_run')
        .set((eb) => ({ removed: eb('removed', '+', 1) }))
        .where('id', '=', run.id)
        .execute()
    }
    try {
      await remove(cx, id)
      deleted++
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'ServiceNotAvailable') throw error
      if (error.code !== 'ObjectNotFound') problem = `An old ${copyNoun(action)} stays: ${error.message}`
    }
  }
  return { problem }
}

/** Counts the results, and ends the run. */
const endRun = (cx: Cx, run: Run, reason: string | null): Promise<void> =>
  change(cx, run, async (tx) => {
    const { rows } = await sql<{ done: number; failed: number }>`
      SELECT count(*) FILTER (WHERE state = 'done')::int4 AS done,
        count(*) FILTER (WHERE state <> 'done')::int4 AS failed
      FROM schedule_run_item WHERE run_id = ${run.id}`.execute(tx.plain)
    const { done = 0, failed = 0 } = rows[0] ?? {}
    const state = failed > 0 ? 'failed' : 'done'
    const { numUpdatedRows } = await tx.plain
      .updateTable('schedule_run')
      .set({ state, done, failed, reason, time_ended: cx.now() })
      .where('id', '=', run.id)
      .where('time_ended', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n)
      tx.note('schedule-run', run.id, undefined, { state, schedule_id: run.schedule_id })
  })
