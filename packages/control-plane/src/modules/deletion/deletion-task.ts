import { sql } from 'kysely'
import type { TaskSource, Told } from '../tasks/source.ts'
import type { Task } from './store.ts'

/** Objects that are deleted with all that goes with them. */
export const deletionTasks: TaskSource = {
  kind: 'deletion',
  open: sql`SELECT id FROM deletion WHERE state = 'running'`,
  with: (objectId) => sql`SELECT id FROM deletion WHERE state = 'running' AND object_id = ${objectId}::uuid`,
  read: async (cx, begun) => {
    const ids = begun.map(({ object_id }) => object_id)
    if (ids.length === 0) return new Map()
    const rows = await cx.db.selectFrom('deletion').selectAll().where('id', 'in', ids).execute()
    const tasks = new Map(rows.map((row) => [row.id, row]))
    return new Map(
      begun.flatMap(({ id, object_id }) => {
        const task = tasks.get(object_id)
        return task ? [[id, toldOf(task)]] : []
      }),
    )
  },
}

const states = { running: 'running', done: 'finished', stopped: 'failed', cancelled: 'cancelled' } as const

function toldOf(task: Task): Told {
  const { id, kind, object_id, object_name, state, refusal, done, total, waiting, time_ended } = task
  return {
    verb: 'delete',
    object: { kind, id: object_id, name: object_name },
    state: states[state],
    time_ended,
    progress: { unit: 'objects', done, running: waiting, failed: refusal ? 1 : 0, total },
    failure: refusal
      ? {
          code: refusal.error.code,
          message: `Stopped at ${refusal.kind.replaceAll('-', ' ')} ${refusal.name ?? ''}: ${refusal.error.message}`,
          next_step: refusal.error.help,
          details: null,
          time: (time_ended ?? task.time_created).toISOString(),
        }
      : null,
    actions: state === 'running' ? [{ action: 'cancel', operation: 'deletion_cancel', target: id }] : [],
  }
}
