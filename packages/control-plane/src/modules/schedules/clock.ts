import { makesCopies, missedReasons, readTiming, scheduleLimits } from '@gantry/api/schedules/schedule.rules'
import { lastTime, timesAfter } from '@gantry/api/schedules/times.rules'
import { type Change, change } from '../../change/change.ts'
import { systemCx } from '../../context/cx.ts'
import type { Services } from '../../context/services.ts'
import { latestPast } from '../../context/time.ts'
import type { Row } from '../../db/tables.ts'
import { eachInTurn, type Reconciler } from '../../work/loop.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { setClock } from './clock-row.ts'
import { settleRuns } from './outcomes.ts'
import { scheduleRun } from './run-job.ts'

const batch = 50
/** Interval between checks of open runs (ms). */
const recheckMs = 1000

/** Begins the runs that are due, and ends those whose objects are done. */
export const schedules: Reconciler = {
  name: 'schedules',
  everyMs: 10_000,
  async run(services) {
    const { db, clock } = services
    const due = await db
      .selectFrom('schedule_clock')
      .select('schedule_id')
      .where('next_run', '<=', clock())
      .orderBy('next_run')
      .limit(batch)
      .execute()
    await eachInTurn(services, 'schedules', due, ({ schedule_id }) => beginRun(services, schedule_id))
    const isAnyOpen = await settleRuns(services)
    if (due.length === batch) return 0
    if (isAnyOpen) return recheckMs
    const next = await db
      .selectFrom('schedule_clock')
      .select('next_run')
      .orderBy('next_run')
      .limit(1)
      .executeTakeFirst()
    return next && Math.max(0, next.next_run.getTime() - clock().getTime())
  },
}

/**
 * Begins the run of what is due, and sets the clock to the next time: in one transaction that holds the clock's row, so
 * that no process begins it again, and none is lost. Of several due times only the last one is run.
 */
async function beginRun(services: Services, id: string): Promise<void> {
  const cx = systemCx(services, 'reconcile:schedules')
  const place = await cx.db
    .selectFrom('schedule')
    .innerJoin('project', 'project.id', 'schedule.project_id')
    .select(['project.silo_id', 'schedule.project_id'])
    .where('schedule.id', '=', id)
    .executeTakeFirstOrThrow()
  await change(cx, place, async (tx) => {
    const schedule = await tx.lockById('schedule', id).catch(ignoreNotFound)
    const clock = await tx.plain
      .selectFrom('schedule_clock')
      .select('next_run')
      .where('schedule_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    const now = cx.now()
    if (!schedule || !clock || clock.next_run > now) return
    const { due, missed } = dueNow(schedule, clock.next_run, now)
    await setClock(tx, schedule)
    await addRun(tx, schedule, place, { due, missed })
  })
}

/** The latest due time, and how many there were before it. */
function dueNow(
  { timing, timezone }: Row<'schedule'>,
  first: Date,
  now: Date,
): { due: Date; missed: number } {
  const cron = readTiming(timing)
  const from = first.getTime()
  const due = lastTime(cron, timezone, from, now.getTime()) ?? from
  if (due === from) return { due: first, missed: 0 }
  const times = timesAfter(cron, timezone, from, scheduleLimits.missed)
  const before = times.findIndex((time) => time >= due)
  return { due: new Date(due), missed: before < 0 ? scheduleLimits.missed : before + 1 }
}

async function addRun(
  tx: Change,
  schedule: Row<'schedule'>,
  { silo_id, project_id }: { silo_id: string; project_id: string },
  { due, missed }: { due: Date; missed: number },
): Promise<void> {
  const now = tx.cx.now()
  const reason = await whyNotRun(tx, schedule, silo_id, due)
  const run = await tx.plain
    .insertInto('schedule_run')
    .values({
      id: tx.cx.newId(),
      schedule_id: schedule.id,
      schedule_name: schedule.name,
      silo_id,
      project_id,
      due,
      ...(reason
        ? { state: 'missed', missed: missed + 1, reason, total: 0, time_ended: now }
        : { state: 'running', missed }),
      time_begun: now,
    })
    .onConflict((conflict) => conflict.columns(['schedule_id', 'due']).doNothing())
    .returning(['id', 'state'])
    .executeTakeFirst()
  if (!run) return
  if (!reason) await tx.job(scheduleRun, { run_id: run.id })
  tx.note('schedule-run', run.id, undefined, { state: run.state, schedule_id: schedule.id })
}

/** Why what is due is not run; undefined if it is. */
async function whyNotRun(
  { cx, read }: Change,
  { id, action, project_id }: Row<'schedule'>,
  silo_id: string,
  due: Date,
): Promise<string | undefined> {
  const open = await read
    .selectFrom('schedule_run')
    .select('id')
    .where('schedule_id', '=', id)
    .where('time_ended', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (open) return missedReasons.overlap
  // A late snapshot or backup is better than none, and a late stop may end the work of the next day.
  const lateMs = cx.now().getTime() - due.getTime()
  if (!makesCopies(action) && lateMs > scheduleLimits.lateMinutes * 60_000) return missedReasons.late
  const deletion = await read
    .selectFrom('deletion')
    .select('id')
    .where('object_id', 'in', [project_id, silo_id])
    .where('state', '=', 'running')
    .executeTakeFirst()
  return deletion && missedReasons.deletion
}

/** Sets clocks anew that were set while the clock of the server was ahead. */
export async function repairSchedules(services: Services, now: Date): Promise<void> {
  const { db } = services
  const rows = await db
    .selectFrom('schedule_clock')
    .innerJoin('schedule', 'schedule.id', 'schedule_clock.schedule_id')
    .innerJoin('project', 'project.id', 'schedule.project_id')
    .select(['schedule.id', 'project.silo_id', 'schedule.project_id'])
    .where('schedule_clock.next_run', '>', latestPast(now))
    .execute()
  for (const { id, silo_id, project_id } of rows)
    await change(systemCx(services, 'repair:schedules'), { silo_id, project_id }, async (tx) => {
      const schedule = await tx.lockById('schedule', id).catch(ignoreNotFound)
      if (schedule) await setClock(tx, schedule)
    })
}
