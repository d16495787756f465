import type { FailureReason, Refused } from '@gantry/api/extensions'
import { scheduleLimits } from '@gantry/api/schedules/schedule.rules'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import type { TaskSource, Told } from '../tasks/source.ts'
import type { Run } from './run-job.ts'

/** Runs of schedules, each one task. */
export const scheduleRunTasks: TaskSource = {
  kind: 'schedule-run',
  open: sql`SELECT id FROM schedule_run WHERE time_ended IS NULL`,
  with: (
    objectId,
  ) => sql`SELECT id FROM schedule_run r WHERE r.time_ended IS NULL AND (r.schedule_id = ${objectId}::uuid
    OR EXISTS (SELECT FROM schedule_run_item i WHERE i.run_id = r.id AND i.object_id = ${objectId}::uuid
      AND i.state IN ('pending', 'under_way')))`,
  read: async (cx, begun) => {
    const ids = begun.map(({ object_id }) => object_id)
    if (ids.length === 0) return new Map()
    const rows = await cx.db.selectFrom('schedule_run').selectAll().where('id', 'in', ids).execute()
    const counts = await countsOf(
      cx,
      rows.filter(({ time_ended }) => time_ended === null).map(({ id }) => id),
    )
    const runs = new Map(rows.map((row) => [row.id, row]))
    return new Map(
      begun.flatMap(({ id, object_id }) => {
        const run = runs.get(object_id)
        return run ? [[id, toldOf(run, counts.get(object_id))]] : []
      }),
    )
  },
  failures: async (cx, { object_id }) => {
    const rows = await cx.db
      .selectFrom('schedule_run_item')
      .select(['object_id as id', 'name', 'error'])
      .where('run_id', '=', object_id)
      .where('state', '=', 'failed')
      .orderBy('position')
      .limit(scheduleLimits.objects)
      .execute()
    return rows.map(({ id, name, error }) => {
      const { message = 'It failed.', help = '' } = (error ?? {}) as Partial<Refused>
      return { id, name, message, next_step: help }
    })
  },
}

interface Counts {
  done: number
  running: number
  failed: number
}

async function countsOf(cx: Cx, ids: readonly string[]): Promise<Map<string, Counts>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string } & Counts>`
    SELECT run_id AS id, count(*) FILTER (WHERE state = 'done')::int4 AS done,
      count(*) FILTER (WHERE state = 'under_way')::int4 AS running,
      count(*) FILTER (WHERE state = 'failed')::int4 AS failed
    FROM schedule_run_item WHERE run_id = ANY (${ids}::uuid[]) GROUP BY run_id`.execute(cx.db)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

function toldOf(run: Run, counted: Counts | undefined): Told {
  const { schedule_id, schedule_name, time_ended, state, done, failed } = run
  const total = run.total ?? 0
  return {
    verb: 'run',
    object: { kind: 'schedule', id: schedule_id, name: schedule_name },
    state: time_ended === null ? 'running' : state === 'done' ? 'finished' : 'failed',
    time_ended,
    progress: total > 0 ? { unit: 'objects', ...(counted ?? { done, running: 0, failed }), total } : null,
    failure: state === 'failed' && time_ended ? failureOf(run, time_ended) : null,
  }
}

const failureOf = ({ failed, total, reason }: Run, time: Date): FailureReason => ({
  code: 'some_failed',
  message: failed > 0 ? `${failed} of ${total ?? 0} failed.` : (reason ?? 'It failed.'),
  next_step: 'See the runs of the schedule.',
  details: null,
  time: time.toISOString(),
})
