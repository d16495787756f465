import type { Restoration } from '@gantry/api/history/restoration'
import { restorationLimits, restoreOrder } from '@gantry/api/history/recycle-bin.rules'
import { type RawBuilder, sql } from 'kysely'
import type { Change } from '@gantry/control-plane/change/change'
import type { Alongside, Cx } from '@gantry/control-plane/context/cx'
import type { MadeChange } from '@gantry/control-plane/context/services'
import { Refusal, refusedAs } from '@gantry/control-plane/context/refusal'
import type { Reader } from '@gantry/control-plane/db/database'
import type { Row } from '@gantry/control-plane/db/tables'
import { isKept, type Item } from '../items.ts'

export type Task = Row<'restoration'>

/** Whether a change notes a restoration that begins. */
export const isBegunRestoration = ({
  kind,
  after,
}: Pick<MadeChange['records'][number], 'kind' | 'after'>): boolean =>
  kind === 'restoration' && after?.['total'] !== undefined

export const findTask = (db: Reader, id: string): Promise<Task | undefined> =>
  db.selectFrom('restoration').selectAll().where('id', '=', id).executeTakeFirst()

/** The task if it still runs, locked, which serialises its steps with its cancellation. */
export const lockRunning = ({ plain }: Alongside, id: string): Promise<Task | undefined> =>
  plain
    .selectFrom('restoration')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()

const order = sql`array_position(ARRAY[${sql.join(restoreOrder.map((kind) => sql.lit(kind)))}]::text[], t.kind),
  t.time_deleted DESC, t.id DESC`

/** What a deletion took and the bin still has, those first that others need. */
export async function itemsOf(
  { db, now }: { db: Reader; now: Date },
  deletionId: string,
  { limit, and = sql`true` }: { limit: number; and?: RawBuilder<unknown> },
): Promise<Item[]> {
  const { rows } = await sql<Item>`SELECT t.* FROM recycled t WHERE t.deletion_id = ${deletionId}
    AND ${isKept({ now: () => now })} AND ${and} ORDER BY ${order} LIMIT ${limit}`.execute(db)
  return rows
}

/** For how long what is being restored is kept at least, from each run of the task on. */
const keptMs = 3_600_000

/** Keeps what a task has still to restore. Nothing of it is deleted as expired while the task runs (`expire.ts`). */
export async function keepItems(
  { plain }: Pick<Change, 'plain'>,
  { id, deletion_id }: Pick<Task, 'id' | 'deletion_id'>,
  now: Date,
): Promise<void> {
  const until = new Date(now.getTime() + keptMs)
  await sql`UPDATE recycled SET time_expires = ${until} WHERE deletion_id = ${deletion_id}
    AND time_expires < ${until} AND refused_by IS DISTINCT FROM ${id}`.execute(plain)
}

export const stepOf = ({ kind, object_id, name }: Item) => ({ kind, id: object_id, name })
export const refusalOf = (item: Item, refusal: Refusal) => ({ ...stepOf(item), error: refusedAs(refusal) })

/** Stores that an item could not be restored; it is not tried again by this task. */
export async function addRefusal(tx: Change, task: Task, item: Item, refusal: Refusal): Promise<void> {
  await tx.plain.updateTable('recycled').set({ refused_by: task.id }).where('id', '=', item.id).execute()
  const refusals = [...task.refusals, refusalOf(item, refusal)].slice(0, restorationLimits.named)
  await tx.plain
    .updateTable('restoration')
    .set({ failed: task.failed + 1, attempts: 0, refusals: JSON.stringify(refusals) })
    .where('id', '=', task.id)
    .execute()
}

/** Ends the task, and publishes that. */
export async function end(
  tx: Change,
  { id }: Task,
  state: 'done' | 'stopped' | 'cancelled',
  refusal: Task['refusal'] = null,
): Promise<Task> {
  const ended = await tx.plain
    .updateTable('restoration')
    .set({ state, now: null, refusal: refusal && JSON.stringify(refusal), time_ended: tx.cx.now() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  tx.note('restoration', id, undefined, { state })
  return ended
}

export const restorationView = (task: Task): Restoration => ({
  id: task.id,
  deletion_id: task.deletion_id,
  object: { kind: task.kind, id: task.object_id, name: task.object_name },
  state: task.state,
  done: task.done,
  failed: task.failed,
  total: task.total,
  now: task.now,
  refusals: task.refusals,
  refusal: task.refusal,
  time_created: task.time_created.toISOString(),
  time_ended: task.time_ended?.toISOString() ?? null,
})

/** The caller's own. */
export const ownTasks = (cx: Cx) =>
  cx.db.selectFrom('restoration').selectAll().where('silo_user_id', '=', cx.user().user_id)
