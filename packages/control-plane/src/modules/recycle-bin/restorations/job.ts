import { operationId, ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import { z } from 'zod'
import { authorOfTask } from '@gantry/control-plane/authz/person'
import { auditRow } from '@gantry/control-plane/change/audit'
import { change } from '@gantry/control-plane/change/change'
import { defineJob, repeatIn, type Repeat } from '@gantry/control-plane/change/define-job'
import { Cx, requestInfo, systemCx } from '@gantry/control-plane/context/cx'
import { Refusal } from '@gantry/control-plane/context/refusal'
import type { Services } from '@gantry/control-plane/context/services'
import { unexpected } from '@gantry/control-plane/work/jobs'
import { endedRight, pauseMs } from '../../deletion/job.ts'
import { type Item, needItem, scopeOf } from '../items.ts'
import { type Asked, bringBack } from '../restore.ts'
import {
  addRefusal,
  end,
  findTask,
  itemsOf,
  keepItems,
  lockRunning,
  refusalOf,
  stepOf,
  type Task,
} from './store.ts'

/** Items of one run: then other jobs have their turn. */
const itemsAtOnce = 50
/** Unexpected failures of the same item until it is given up. */
const attempts = 8

/**
 * Restores one item after another, each as a request of the user who began it would, with the roles that user has now.
 * The progress is written in the same transaction, so that nothing is done twice. What is refused stays in the bin and
 * is told of; only where the deleted object itself or the user's right is gone does nothing else come back.
 */
export const restorationTask = defineJob(
  'restoration',
  z.object({ restoration_id: z.string() }),
  async ({ services }, { restoration_id }) => {
    const task = await findTask(services.db, restoration_id)
    if (task?.state !== 'running') return undefined
    // Also of what expired while no server ran.
    await changeTask(services, task, (tx) => keepItems(tx, task, services.clock()))
    const and = sql`t.refused_by IS DISTINCT FROM ${task.id}`
    const items = await itemsOf({ db: services.db, now: services.clock() }, task.deletion_id, {
      limit: itemsAtOnce,
      and,
    })
    if (items.length === 0) return finish(services, task)
    for (const item of items) {
      services.ending.throwIfAborted()
      const outcome = await perform(services, task, item)
      if (outcome === 'ended') return undefined
      if (typeof outcome === 'object') return outcome
    }
    await changeTask(services, task, (tx) => {
      tx.note('restoration', task.id, undefined, {})
    })
    return repeatIn(0)
  },
  { maxAttempts: Infinity },
)

/** The task was cancelled, or another process ended it. */
class TaskEnded extends Error {}

/** A pause, if the step failed unexpectedly and is repeated. */
async function perform(services: Services, task: Task, item: Item): Promise<'done' | 'ended' | Repeat> {
  const cx = await callOf(services, task, item)
  cx.guard = async (tx) => {
    if (!(await lockRunning(tx, task.id))) throw new TaskEnded()
  }
  cx.alongside = async ({ plain }) => {
    await plain
      .updateTable('restoration')
      .set((eb) => ({ now: JSON.stringify(stepOf(item)), attempts: 0, done: eb('done', '+', 1) }))
      .where('id', '=', task.id)
      .execute()
  }
  try {
    await restoreOne(cx, item.id, askedFor(task, item))
    return 'done'
  } catch (error) {
    if (error instanceof TaskEnded) return 'ended'
    if (error === services.ending.reason) throw error
    if (!(error instanceof Refusal) || error.code === 'ServiceNotAvailable')
      return failed(services, task, item, error)
    const isThere = await services.db
      .selectFrom('recycled')
      .select('id')
      .where('id', '=', item.id)
      .executeTakeFirst()
    // Others may restore the same things meanwhile, or delete them for good.
    if (!isThere) return 'done'
    const right = endedRight(error, 'restore')
    const stops = right !== undefined || item.object_id === task.object_id
    await refuse(cx, { task, item, refusal: right ?? error, stops })
    return stops ? 'ended' : 'done'
  }
}

/** The deleted object gets the name that was asked for; what a name was taken of, the one that the plan showed. */
export const askedFor = (task: Pick<Task, 'object_id' | 'new_name'>, item: Item): Asked => ({
  isPlan: item.object_id !== task.object_id,
  ...(item.object_id === task.object_id && { name: task.new_name ?? undefined }),
})

/** Restores one item alone, as the caller may. */
export async function restoreOne(cx: Cx, itemId: string, asked: Asked) {
  const item = await needItem(cx, itemId)
  return change(cx, scopeOf(item), (tx) => bringBack(tx, item, asked))
}

/** Repeats what failed unexpectedly a few times, and then continues without it. */
async function failed(
  services: Services,
  task: Task,
  item: Item,
  error: unknown,
): Promise<'done' | 'ended' | Repeat> {
  services.log.warn(
    { err: error, restoration: task.id, item: stepOf(item) },
    'a step of a restoration failed',
  )
  const failures = await changeTask(services, task, async (tx, running) => {
    const next = running.attempts + 1
    await tx.plain.updateTable('restoration').set({ attempts: next }).where('id', '=', task.id).execute()
    return next
  })
  if (failures === undefined) return 'ended'
  if (failures < attempts) return repeatIn(pauseMs(failures))
  const refusal = error instanceof Refusal ? error : unexpected('It could not be restored.')
  const stops = item.object_id === task.object_id
  await refuse(await callOf(services, task, item), { task, item, refusal, stops })
  return stops ? 'ended' : 'done'
}

interface Refused {
  task: Task
  item: Item
  refusal: Refusal
  /** Nothing else can come back. */
  stops: boolean
}

/** Stores what was refused, with the audit record that the single request would have left. */
async function refuse(call: Cx, { task, item, refusal, stops }: Refused): Promise<void> {
  await changeTask(call.services, task, async (tx, running) => {
    const { status, code, message } = refusal
    await tx.plain.insertInto('audit').values(auditRow(call, { status, code, message })).execute()
    if (stops) await end(tx, running, 'stopped', refusalOf(item, refusal))
    else await addRefusal(tx, running, item, refusal)
  })
}

const finish = (services: Services, task: Task) =>
  changeTask(services, task, async (tx, running) => {
    await end(tx, running, 'done')
    return undefined
  })

/** A change of the task itself, if it still runs. */
const changeTask = <Result>(
  services: Services,
  task: Task,
  run: (tx: Parameters<Parameters<typeof change>[2]>[0], running: Task) => Result | Promise<Result>,
): Promise<Result | undefined> =>
  change(systemCx(services, 'job:restoration'), scopeOfTask(task), async (tx) => {
    const running = await lockRunning(tx, task.id)
    return running && run(tx, running)
  })

export const scopeOfTask = ({ silo_id, project_id }: Pick<Task, 'silo_id' | 'project_id'>) => ({
  silo_id,
  project_id,
})

/** The single request, as its author with the roles of now. */
async function callOf(services: Services, task: Task, item: Item): Promise<Cx> {
  const { credential: _credential, ...request } = task.request
  const { kind, object_id, name } = item
  const info = {
    ...request,
    id: `${request.id}/${object_id}`,
    operation: operationId('recycledItemRestore'),
    status: ops.recycledItemRestore.status,
    details: { restoration_id: task.id, object_id, name, kind },
  }
  return new Cx(services, await authorOfTask(services, task), requestInfo(services, info))
}
