import type { Deletion, DeletionPlan } from '@gantry/api/history/deletion'
import { deletionLimits } from '@gantry/api/history/deletion.rules'
import { canonicalUuid } from '@gantry/api/base/name.rules'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { conflict, invalid, notFound, Refusal } from '../../context/refusal.ts'
import type { Input } from '../../pipeline/implement.ts'
import { deletionTask, scopeOf } from './job.ts'
import { planOf } from './plan.ts'
import { needRoot, rootTables } from './root.ts'
import { deletionView, end, lockRunning, ownTasks, type Task } from './store.ts'

export async function viewPlan(cx: Cx, { path, query }: Input<'deletionPlanView'>): Promise<DeletionPlan> {
  const root = await needRoot(cx, query.kind, path.object_id)
  const plan = await planOf(cx, cx.db, root)
  charge(cx, plan)
  return plan
}

/** Counting many rows costs its caller as much as sending a list of them, roughly. */
const rowsOfItem = 100
const charge = (cx: Cx, { goes }: DeletionPlan): void =>
  cx.charge(Math.ceil(goes.reduce((sum, { count }) => sum + count, 0) / rowsOfItem))

/** Begins the task, unless anything that matters has changed since the plan was made. */
export async function createDeletion(cx: Cx, { body }: Input<'deletionCreate'>): Promise<Deletion> {
  const { kind, object_id, hash, for_good: is_for_good } = body
  const root = await needRoot(cx, kind, object_id)
  const { id: requestId, uri, address, user_agent } = cx.request
  const { user_id, credential } = cx.user()
  return change(cx, root.scope, async (tx) => {
    // Creating anything in it waits for this lock, so the plan covers all that exists at this time.
    const { name } = await tx.lockById(rootTables[kind], root.id)
    const plan = await planOf(cx, tx.read, { ...root, name })
    charge(cx, plan)
    if (plan.hash !== hash)
      throw new Refusal('Conflict', 'what would be deleted has changed', {
        help: 'Review what the deletion would do now, then try again.',
        details: { plan },
      })
    const [blocker] = plan.blockers
    if (blocker) throw invalid(blocker.message, blocker.help, { blockers: plan.blockers })
    const task = await tx.plain
      .insertInto('deletion')
      .values({
        id: cx.newId(),
        kind,
        object_id: root.id,
        object_name: name,
        ...root.scope,
        silo_user_id: user_id,
        request: JSON.stringify({ id: requestId, uri, address, user_agent, credential }),
        is_for_good,
        state: 'running',
        total: plan.steps,
        time_created: cx.now(),
        time_ended: null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await tx.job(deletionTask, { deletion_id: task.id })
    tx.note('deletion', task.id, undefined, { state: task.state })
    return deletionView(task)
  })
}

/** The caller's own, newest first. */
export async function listDeletions(cx: Cx): Promise<{ items: Deletion[] }> {
  const tasks = await ownTasks(cx)
    .orderBy('time_created', 'desc')
    .orderBy('id', 'desc')
    .limit(deletionLimits.listed)
    .execute()
  return { items: tasks.map(deletionView) }
}

export const viewDeletion = async (cx: Cx, { path }: Input<'deletionView'>): Promise<Deletion> =>
  deletionView(await needTask(cx, path.deletion_id))

/** Between two steps: what is deleted already stays so. */
export async function cancelDeletion(cx: Cx, { path }: Input<'deletionCancel'>): Promise<Deletion> {
  const known = await needTask(cx, path.deletion_id)
  const task = await change(cx, scopeOf(known), async (tx) => {
    const running = await lockRunning(tx, known.id)
    if (!running) throw conflict('the deletion is over', 'There is nothing left to cancel.')
    return end(tx, running, 'cancelled')
  })
  return deletionView(task)
}

async function needTask(cx: Cx, given: string): Promise<Task> {
  const id = canonicalUuid(given)
  const task = await ownTasks(cx).where('id', '=', id).executeTakeFirst()
  if (!task) throw notFound('deletion', { id })
  return task
}
