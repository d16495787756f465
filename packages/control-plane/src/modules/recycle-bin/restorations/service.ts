import type { Restoration } from '@gantry/api/history/restoration'
import { canonicalUuid } from '@gantry/api/base/name.rules'
import { sql } from 'kysely'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { conflict, notFound } from '@gantry/control-plane/context/refusal'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { restorationTask, scopeOfTask } from './job.ts'
import { needWhole } from './plan.ts'
import { end, lockRunning, ownTasks, restorationView, type Task } from './store.ts'

/** Begins the task. What has still to be restored is kept until it is over, even if its time ends meanwhile. */
export async function createRestoration(
  cx: Cx,
  { body: { deletion_id, name } }: Input<'restorationCreate'>,
): Promise<Restoration> {
  const { about, first } = await needWhole(cx, deletion_id)
  const { id: requestId, uri, address, user_agent } = cx.request
  const { user_id, credential } = cx.user()
  const { silo_id } = first
  const project_id = about.kind === 'project' ? about.object_id : first.project_id
  return change(cx, { silo_id, project_id }, async (tx) => {
    const { total } = await tx.read
      .selectFrom('recycled')
      .select(sql<number>`count(*)::int`.as('total'))
      .where('deletion_id', '=', deletion_id)
      .where('time_expires', '>', cx.now())
      .executeTakeFirstOrThrow()
    if (total === 0) throw notFound('deletion', { id: deletion_id })
    const task = await tx.plain
      .insertInto('restoration')
      .values({
        id: cx.newId(),
        deletion_id,
        kind: about.kind,
        object_id: about.object_id,
        object_name: about.name,
        new_name: name ?? null,
        silo_id,
        project_id,
        silo_user_id: user_id,
        request: JSON.stringify({ id: requestId, uri, address, user_agent, credential }),
        state: 'running',
        total,
        now: null,
        refusals: '[]',
        refusal: null,
        time_created: cx.now(),
        time_ended: null,
      })
      // Of two people who restore the same thing, the second is told.
      .onConflict((conflicting) =>
        conflicting.column('deletion_id').where('state', '=', sql.lit('running')).doNothing(),
      )
      .returningAll()
      .executeTakeFirst()
    if (!task) throw conflict('it is being restored already', 'Wait until that is done.')
    await tx.job(restorationTask, { restoration_id: task.id })
    tx.note('restoration', task.id, undefined, { state: task.state, total })
    return restorationView(task)
  })
}

export const viewRestoration = async (cx: Cx, { path }: Input<'restorationView'>): Promise<Restoration> =>
  restorationView(await needTask(cx, path.restoration_id))

/** Between two steps: what is restored already stays so. */
export async function cancelRestoration(cx: Cx, { path }: Input<'restorationCancel'>): Promise<Restoration> {
  const known = await needTask(cx, path.restoration_id)
  const task = await change(cx, scopeOfTask(known), async (tx) => {
    const running = await lockRunning(tx, known.id)
    if (!running) throw conflict('the restoration is over', 'There is nothing left to cancel.')
    return end(tx, running, 'cancelled')
  })
  return restorationView(task)
}

async function needTask(cx: Cx, given: string): Promise<Task> {
  const id = canonicalUuid(given)
  const task = await ownTasks(cx).where('id', '=', id).executeTakeFirst()
  if (!task) throw notFound('restoration', { id })
  return task
}
