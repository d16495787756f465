import { sql } from 'kysely'
import type { TaskSource, Told } from '../../tasks/source.ts'
import type { Task } from './store.ts'

/** Everything that one deletion took, on its way back. */
export const restorationTasks: TaskSource = {
  kind: 'restoration',
  open: sql`SELECT id FROM restoration WHERE state = 'running'`,
  with: (objectId) =>
    sql`SELECT id FROM restoration WHERE state = 'running' AND object_id = ${objectId}::uuid`,
  read: async (cx, begun) => {
    const ids = begun.map(({ object_id }) => object_id)
    if (ids.length === 0) return new Map()
    const rows = await cx.db.selectFrom('restoration').selectAll().where('id', 'in', ids).execute()
    const tasks = new Map(rows.map((row) => [row.id, row]))
    return new Map(
      begun.flatMap(({ id, object_id }) => {
        const task = tasks.get(object_id)
        return task ? [[id, toldOf(task)]] : []
      }),
    )
  },
  failures: async (cx, { object_id }) => {
    const task = await cx.db
      .selectFrom('restoration')
      .select('refusals')
      .where('id', '=', object_id)
      .executeTakeFirst()
    return (task?.refusals ?? []).map(({ id, kind, name, error: { message, help } }) => ({
      id,
      name: `${kind.replaceAll('-', ' ')} ${name ?? ''}`,
      message,
      next_step: help,
    }))
  },
}

function toldOf(task: Task): Told {
  const { id, kind, object_id, object_name, new_name, state, done, failed, total, time_ended } = task
  const isOver = state === 'done'
  const isPart = failed > 0 || goneIn(task) > 0
  return {
    verb: 'restore',
    object: { kind, id: object_id, name: new_name ?? object_name },
    state: isOver ? (isPart ? 'failed' : 'finished') : state === 'stopped' ? 'failed' : state,
    time_ended,
    progress: { unit: 'objects', done, running: state === 'running' ? 1 : 0, failed, total },
    failure: failureOf(task),
    actions: state === 'running' ? [{ action: 'cancel', operation: 'restoration_cancel', target: id }] : [],
  }
}

/** What was in the bin no longer when its turn came: others restored it, or it was deleted for good. */
const goneIn = ({ state, done, failed, total }: Task): number =>
  state === 'done' ? total - done - failed : 0

function failureOf(task: Task): Told['failure'] {
  const { refusal, refusals, failed, total, time_created, time_ended } = task
  const [first] = refusals
  const told = refusal ?? first
  const time = (time_ended ?? time_created).toISOString()
  const gone = goneIn(task)
  if (!told && gone > 0)
    return {
      code: 'ObjectNotFound',
      message: `${gone} of ${total} were in the recycle bin no longer: others restored or deleted them meanwhile`,
      next_step: 'Activity tells who, and what became of them.',
      details: null,
      time,
    }
  if (!told) return null
  const what = `${told.kind.replaceAll('-', ' ')} ${told.name ?? ''}: ${told.error.message}`
  return {
    code: told.error.code,
    message: refusal
      ? `Stopped at ${what}`
      : `${failed} of ${total} stayed in the recycle bin, the first is ${what}`,
    next_step: told.error.help,
    details: null,
    time,
  }
}
