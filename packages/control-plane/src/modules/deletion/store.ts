import type { Deletion } from '@gantry/api/history/deletion'
import type { Alongside, Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import type { Change } from '../../change/change.ts'
import type { Step } from './steps.ts'
import type { Root } from './root.ts'

export type Task = Row<'deletion'>

export const findTask = (db: Reader, id: string): Promise<Task | undefined> =>
  db.selectFrom('deletion').selectAll().where('id', '=', id).executeTakeFirst()

/** The task if it still runs, locked, which serialises its steps with its cancellation. */
export const lockRunning = ({ plain }: Alongside, id: string): Promise<Task | undefined> =>
  plain
    .selectFrom('deletion')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()

export const rootOf = ({ kind, object_id, object_name, silo_id, project_id }: Task): Root => ({
  kind,
  id: object_id,
  name: object_name,
  scope: { silo_id, project_id },
})

/** Ends the task, and publishes that. */
export async function end(
  tx: Change,
  { id }: Task,
  state: 'done' | 'stopped' | 'cancelled',
  refusal: NonNullable<Task['refusal']> | null = null,
): Promise<Task> {
  const ended = await tx.plain
    .updateTable('deletion')
    .set({
      state,
      now: null,
      waiting: 0,
      refusal: refusal && JSON.stringify(refusal),
      time_ended: tx.cx.now(),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  tx.note('deletion', id, undefined, { state })
  return ended
}

export const stepOf = ({ kind, id, name }: Step) => ({ kind, id, name })

export const deletionView = (task: Task): Deletion => ({
  id: task.id,
  object: { kind: task.kind, id: task.object_id, name: task.object_name },
  state: task.state,
  done: task.done,
  total: task.total,
  waiting: task.waiting,
  now: task.now,
  refusal: task.refusal,
  time_created: task.time_created.toISOString(),
  time_ended: task.time_ended?.toISOString() ?? null,
})

/** The caller's own, newest first. */
export const ownTasks = (cx: Cx) =>
  cx.db.selectFrom('deletion').selectAll().where('silo_user_id', '=', cx.user().user_id)
