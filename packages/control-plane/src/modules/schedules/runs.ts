import { actedOn, madeBy, makesCopies, scheduleLimits } from '@gantry/api/schedules/schedule.rules'
import type { ScheduleRun, ScheduleRunItem } from '@gantry/api/schedules/schedule'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { Row } from '../../db/tables.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import type { Run } from './run-job.ts'

type Listed = Run & { task_id: string | null }

/** With the change that began each as a task. */
const runsOf = (cx: Cx, scheduleId: string) =>
  sql<Listed>`SELECT run.*, (SELECT c.id FROM change c WHERE c.object_id = run.id AND c.task IS NOT NULL
      ORDER BY c.time DESC, c.id DESC LIMIT 1) AS task_id
    FROM schedule_run run WHERE run.schedule_id = ${scheduleId}
    ORDER BY run.due DESC LIMIT ${scheduleLimits.runs}`.execute(cx.db)

const viewOf = (run: Listed): ScheduleRun => ({
  id: run.id,
  schedule_id: run.schedule_id,
  due: run.due.toISOString(),
  state: run.state,
  time_begun: run.time_begun.toISOString(),
  time_ended: run.time_ended?.toISOString() ?? null,
  missed: run.missed,
  reason: run.reason,
  total: run.total ?? 0,
  done: run.done,
  failed: run.failed,
  removed: run.removed,
  task_id: run.task_id,
})

export async function listRuns(cx: Cx, at: Selectors): Promise<{ items: ScheduleRun[] }> {
  const { row } = await need(cx, 'schedule', at, 'list_children')
  return { items: (await runsOf(cx, row.id)).rows.map(viewOf) }
}

export async function listRunItems(
  cx: Cx,
  at: Selectors,
  due: string | null | undefined,
): Promise<{ items: ScheduleRunItem[] }> {
  const { row: schedule } = await need(cx, 'schedule', at, 'list_children')
  const { rows } = await sql<Row<'schedule_run_item'>>`SELECT item.* FROM schedule_run_item item
    WHERE item.run_id = (SELECT run.id FROM schedule_run run WHERE run.schedule_id = ${schedule.id}
      ${due ? sql`AND run.due = ${new Date(due)}` : sql``} ORDER BY run.due DESC LIMIT 1)
    ORDER BY item.position`.execute(cx.db)
  const { action } = schedule
  return {
    items: rows.map(({ object_id, name, state, error, snapshot_id, snapshot_name }) => ({
      object: { kind: actedOn[action], id: object_id, name },
      state,
      error,
      // Before it is taken, and if that was refused, there is none.
      snapshot:
        makesCopies(action) &&
        snapshot_id !== null &&
        snapshot_name !== null &&
        (state === 'done' || state === 'under_way')
          ? { kind: madeBy[action], id: snapshot_id, name: snapshot_name }
          : null,
    })),
  }
}
