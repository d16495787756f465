import { deletionLimits } from '@gantry/api/history/deletion.rules'
import { operationId, ops } from '@gantry/api/registry'
import { z } from 'zod'
import { authorOfTask } from '../../authz/person.ts'
import { auditRow } from '../../change/audit.ts'
import { change } from '../../change/change.ts'
import { defineJob, repeatIn, type Repeat } from '../../change/define-job.ts'
import { Cx, requestInfo, systemCx } from '../../context/cx.ts'
import { Refusal, refusedAs } from '../../context/refusal.ts'
import type { Services } from '../../context/services.ts'
import { kinds } from '../../lookup/kinds.ts'
import { unexpected } from '../../work/jobs.ts'
import { nounOf } from './blockers.ts'
import { deletionOf, isOverdue, nextSteps, stopping, type Step, type Todo, type Waiting } from './steps.ts'
import { end, findTask, lockRunning, rootOf, stepOf, type Task } from './store.ts'

/** Objects of one run: then other jobs have their turn. */
const stepsAtOnce = 50
/** Interval between checks of instances that are stopping. */
const recheckMs = 1000
/** Unexpected failures of the same step until the task stops, and the pause after each. */
const attempts = 8
export const pauseMs = (failures: number): number => Math.min(60_000, 500 * 2 ** failures)

/**
 * Deletes one object after another, each by the service that a user's request uses, as the user who began it and with
 * the roles that user has now. The progress is written in the same transaction, so that nothing is done twice. The first
 * refusal ends it.
 */
export const deletionTask = defineJob(
  'deletion',
  z.object({ deletion_id: z.string() }),
  async ({ services }, { deletion_id }) => {
    const task = await findTask(services.db, deletion_id)
    if (task?.state !== 'running') return undefined
    const todo = await nextSteps(await authorOf(services, task), services.db, rootOf(task), task, stepsAtOnce)
    return 'waiting' in todo ? wait(services, task, todo.waiting) : act(services, task, todo)
  },
  { maxAttempts: Infinity },
)

/** The task was cancelled, or another process ended it. */
class TaskEnded extends Error {}

async function act(services: Services, task: Task, { action, steps }: Todo): Promise<Repeat | undefined> {
  for (const step of steps) {
    services.ending.throwIfAborted()
    const outcome = await perform(services, task, action, step)
    if (outcome === 'ended') return undefined
    if (typeof outcome === 'object') return outcome
  }
  await publish(services, task)
  return repeatIn(0)
}

/** A pause, if the step failed unexpectedly and is repeated. */
async function perform(
  services: Services,
  task: Task,
  action: Todo['action'],
  step: Step,
): Promise<'done' | 'ended' | Repeat> {
  const root = rootOf(task)
  const isLast = step.id === root.id
  const { op, run } = action === 'stop' ? stopping : deletionOf(step)
  const cx = await callOf(services, task, op, step)
  cx.guard = async (tx) => {
    if (!(await lockRunning(tx, task.id))) throw new TaskEnded()
  }
  cx.alongside = async (tx) => {
    const now = { now: isLast ? null : JSON.stringify(stepOf(step)), failures: 0 }
    await tx.plain
      .updateTable('deletion')
      .set((eb) => ({ ...now, ...(action === 'delete' && { done: eb('done', '+', 1) }) }))
      .where('id', '=', task.id)
      .execute()
    if (isLast) await finish(tx, task, cx.now())
  }
  try {
    await run(cx, step, root)
    if (isLast) await publish(services, task)
    return isLast ? 'ended' : 'done'
  } catch (error) {
    if (error instanceof TaskEnded) return 'ended'
    if (error === services.ending.reason) throw error
    if (!(error instanceof Refusal) || error.code === 'ServiceNotAvailable')
      return failed(services, task, step, error)
    // Others may delete the same things meanwhile.
    if (error.code === 'ObjectNotFound' && !(await isThere(services, step))) {
      if (!isLast) return 'done'
      await endTask(services, task, 'done')
      return 'ended'
    }
    await refuse(cx, task, step, endedRight(error) ?? error)
    return 'ended'
  }
}

const finish = ({ plain }: Parameters<NonNullable<Cx['alongside']>>[0], { id, total }: Task, now: Date) =>
  plain
    .updateTable('deletion')
    // What others deleted meanwhile is gone too.
    .set({ state: 'done', done: total, waiting: 0, time_ended: now })
    .where('id', '=', id)
    .execute()

/** Of an object that is still there, a refusal to find or to change it says that a right has ended. */
export function endedRight({ code, extra }: Refusal, verb = 'delete'): Refusal | undefined {
  if (code !== 'ObjectNotFound' && code !== 'Forbidden' && code !== 'Unauthorized') return undefined
  const help = code === 'Forbidden' ? extra.help : `Ask an administrator for the role, then ${verb} the rest.`
  return new Refusal('Forbidden', `The user who began this may not ${verb} it any more`, { help })
}

async function isThere({ db }: Services, { kind, id }: Step): Promise<boolean> {
  const [table] = Object.entries(kinds).find(([, { word }]) => word === tableWord(kind)) ?? []
  if (!table) throw new Error(`no table of ${kind}`)
  if (table === 'ip_pool_range')
    return (
      (await db.selectFrom('ip_pool_range').select('id').where('id', '=', id).executeTakeFirst()) !==
      undefined
    )
  const row = await db
    .selectFrom(table as 'disk')
    .select('id')
    .where('id', '=', id)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Floating addresses share a table with those that no user names. */
const tableWord = (kind: string): string => (kind === 'floating-ip' ? 'external-ip' : kind)

/** Repeats what failed unexpectedly a few times, and then stops where it is. */
async function failed(services: Services, task: Task, step: Step, error: unknown): Promise<'ended' | Repeat> {
  services.log.warn({ err: error, deletion: task.id, step: stepOf(step) }, 'a step of a deletion failed')
  const failures = await change(systemCx(services, 'job:deletion'), scopeOf(task), async (tx) => {
    const row = await lockRunning(tx, task.id)
    if (!row) return undefined
    await tx.plain
      .updateTable('deletion')
      .set({ failures: row.failures + 1 })
      .where('id', '=', task.id)
      .execute()
    return row.failures + 1
  })
  if (failures === undefined) return 'ended'
  if (failures < attempts) return repeatIn(pauseMs(failures))
  const refusal = error instanceof Refusal ? error : unexpected('It could not be deleted.')
  const { op } = deletionOf(step)
  await refuse(await callOf(services, task, op, step), task, step, refusal)
  return 'ended'
}

async function wait(services: Services, task: Task, waiting: Waiting): Promise<Repeat | undefined> {
  const { slowest, count } = waiting
  if (isOverdue(waiting, services.clock())) {
    const message = `The instance is still stopping after ${deletionLimits.waitMinutes} minutes`
    const refusal = new Refusal('Conflict', message, { help: 'Force it off, then delete the rest.' })
    await refuse(await callOf(services, task, stopping.op, slowest), task, slowest, refusal)
    return undefined
  }
  if (task.waiting !== count || task.now?.id !== slowest.id)
    await change(systemCx(services, 'job:deletion'), scopeOf(task), async (tx) => {
      if (!(await lockRunning(tx, task.id))) return
      await tx.plain
        .updateTable('deletion')
        .set({ waiting: count, now: JSON.stringify(stepOf(slowest)) })
        .where('id', '=', task.id)
        .execute()
      tx.note('deletion', task.id, undefined, { waiting: count })
    })
  return repeatIn(recheckMs)
}

/** Those who watch hear of many steps at once. */
const publish = (services: Services, task: Task): Promise<void> =>
  change(systemCx(services, 'job:deletion'), scopeOf(task), async (tx) => {
    await tx.plain.updateTable('deletion').set({ waiting: 0 }).where('id', '=', task.id).execute()
    tx.note('deletion', task.id, undefined, {})
  })

const endTask = (services: Services, task: Task, state: 'done'): Promise<void> =>
  change(systemCx(services, 'job:deletion'), scopeOf(task), async (tx) => {
    if (await lockRunning(tx, task.id)) await end(tx, task, state)
  })

/** Stores where the task stopped, with the audit record that the single request would have left. */
const refuse = (call: Cx, task: Task, step: Step, refusal: Refusal): Promise<void> =>
  change(systemCx(call.services, 'job:deletion'), scopeOf(task), async (tx) => {
    if (!(await lockRunning(tx, task.id))) return
    const { status, code, message } = refusal
    await tx.plain.insertInto('audit').values(auditRow(call, { status, code, message })).execute()
    await end(tx, task, 'stopped', { ...stepOf(step), error: refusedAs(refusal) })
  })

export const scopeOf = ({ silo_id, project_id }: Pick<Task, 'silo_id' | 'project_id'>) => ({
  silo_id,
  project_id,
})

const authorOf = async (services: Services, task: Task): Promise<Cx> =>
  new Cx(services, await authorOfTask(services, task), requestInfo(services, {}))

/** The single request, as its author with the roles of now. */
async function callOf(services: Services, task: Task, op: keyof typeof ops, step: Step): Promise<Cx> {
  const { credential: _credential, ...request } = task.request
  const info = {
    ...request,
    id: `${request.id}/${step.id}${op === stopping.op ? '/stop' : ''}`,
    operation: operationId(op),
    status: ops[op].status,
    details: { deletion_id: task.id, object_id: step.id, name: step.name, kind: nounOf(step.kind) },
    task: { id: task.id, kind: task.kind, object_id: task.object_id, name: task.object_name },
  }
  const cx = new Cx(services, await authorOfTask(services, task), requestInfo(services, info))
  cx.isForGood = task.is_for_good
  return cx
}
