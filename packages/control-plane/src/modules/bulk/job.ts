import { listKind } from '@gantry/api/filter/list-kinds.rules'
import type { BulkAction, RunAction } from '@gantry/api/compute/instance-action.rules'
import type { Refused } from '@gantry/api/extensions'
import { operationId, type OpName, ops } from '@gantry/api/registry'
import { sql } from 'kysely'
import { z } from 'zod'
import { authorOfTask } from '@gantry/control-plane/authz/person'
import type { Row } from '@gantry/control-plane/db/tables'
import { auditRow } from '@gantry/control-plane/change/audit'
import { change } from '@gantry/control-plane/change/change'
import { type Alongside, Cx, requestInfo, systemCx } from '@gantry/control-plane/context/cx'
import type { Services } from '@gantry/control-plane/context/services'
import { defineJob } from '@gantry/control-plane/change/define-job'
import { invalid, Refusal, refusedAs } from '@gantry/control-plane/context/refusal'
import { createInstance } from '../compute/instances/create.ts'
import { rebootInstance, startInstance, stopInstance } from '../compute/instances/power.ts'
import { deleteInstance } from '../compute/instances/service.ts'
import { planOf } from '../deletion/plan.ts'
import { needRoot } from '../deletion/root.ts'
import { deletionOf, nextSteps, type Step } from '../deletion/steps.ts'
import { editTags } from '../tags/edit.ts'
import { memberBody } from './member-body.ts'

type Action = Row<'instance_action'>
type Item = Pick<Row<'instance_action_item'>, 'position' | 'instance_id' | 'name'>

/** Instances processed concurrently. */
const concurrency = 8

/** The operation that does it to one object. */
function callFor({ kind, action }: Action): OpName {
  if (action === 'tag') return 'tagsEdit'
  return kind === 'instance' ? opOf(action) : deletionOf({ kind }).op
}

const opOf = (action: RunAction) => (action === 'create' ? 'instanceCreate' : singleCalls[action].op)

const singleCalls = {
  start: { op: 'instanceStart', run: startInstance },
  stop: { op: 'instanceStop', run: stopInstance },
  reboot: { op: 'instanceReboot', run: rebootInstance },
  delete: { op: 'instanceDelete', run: deleteInstance },
} as const satisfies Record<BulkAction, unknown>

/**
 * Processes all remaining items, several at once. A temporary failure does not block the others, and is left
 * to the next attempt.
 */
export const instanceAction = defineJob(
  'instance-action',
  z.object({ action_id: z.string() }),
  async (cx, { action_id }) => {
    const action = await findAction(cx, action_id)
    if (!action) return
    const left = await pendingOf(cx, action)
    const later: unknown[] = []
    const worker = async (): Promise<void> => {
      for (let item = left.shift(); item; item = left.shift()) {
        cx.services.ending.throwIfAborted()
        await perform(cx.services, action, item).catch((error: unknown) => later.push(error))
      }
    }
    const workers = await Promise.allSettled(Array.from({ length: concurrency }, worker))
    const stopped = workers.find((one) => one.status === 'rejected')
    if (stopped) throw stopped.reason
    if (later.length > 0) throw later[0]
    cx.services.wake.actions()
  },
  {
    maxAttempts: 10,
    async gaveUp(cx, { action_id }, error) {
      const action = await findAction(cx, action_id)
      if (!action) return
      const refusal = error instanceof Refusal ? error : new Refusal('Internal', 'Internal Server Error')
      for (const item of await pendingOf(cx, action))
        await refuse(await callOf(cx.services, action, item), action, item, refusal)
      cx.services.wake.actions()
    },
  },
)

const findAction = (cx: Cx, id: string): Promise<Action | undefined> =>
  cx.db.selectFrom('instance_action').selectAll().where('id', '=', id).executeTakeFirst()

const pendingOf = (cx: Cx, { id }: Action): Promise<Item[]> =>
  cx.db
    .selectFrom('instance_action_item')
    .select(['position', 'instance_id', 'name'])
    .where('action_id', '=', id)
    .where('state', '=', 'pending')
    .orderBy('position')
    .execute()

/** Another process took the job over and finished first; this attempt is rolled back. */
class AlreadySettled extends Error {}

/**
 * Processes one instance through the single call's service, with the author's identity and current roles. The
 * result is written in the same transaction, so that nothing runs twice.
 */
async function perform(services: Services, action: Action, item: Item): Promise<void> {
  const cx = await callOf(services, action, item)
  // Before the first change too, which stores the intended state.
  cx.guard = async (tx) => {
    if (!(await isPending(tx, action, item))) throw new AlreadySettled()
  }
  cx.alongside = async (tx) => {
    if (!(await settle(tx, action, item))) throw new AlreadySettled()
  }
  try {
    // The silo may demand a second person since it began.
    await refuseAloneOf(services)(cx, callFor(action), {})
    if (action.tagging) await tagOne(cx, action, item)
    else if (action.kind === 'instance') await runCall(cx, action, item)
    else await deleteOne(cx, action, item)
  } catch (error) {
    if (error instanceof AlreadySettled) return
    if (!(error instanceof Refusal) || error.code === 'ServiceNotAvailable') throw error
    await refuse(cx, action, item, error)
  }
}

const refuseAloneOf = ({ refuseAlone }: Services) =>
  // As with handlers, the services do not know the context.
  refuseAlone as (cx: Cx, name: OpName, input: object) => Promise<void>

/** Adds and removes tags of one object. */
const tagOne = (cx: Cx, { kind, tagging }: Action, { instance_id }: Item): Promise<unknown> =>
  editTags(cx, {
    path: {},
    query: {},
    body: { edits: [{ kind: kind ?? 'instance', id: instance_id ?? '', ...tagging }] },
  })

/** Carries out the single call for one instance. */
async function runCall(
  cx: Cx,
  { action, project_id, creation }: Action,
  { instance_id, name }: Item,
): Promise<void> {
  if (action === 'tag') return
  if (action !== 'create') await singleCalls[action].run(cx, { instance: instance_id })
  else if (creation && name !== null)
    await createInstance(cx, { project: project_id }, await memberBody(cx, creation, name))
}

/** Deletes one object by its own operation; of a VPC, its subnets before. */
async function deleteOne(cx: Cx, action: Action, item: Item): Promise<void> {
  const { kind } = action
  const step = { kind, id: item.instance_id ?? '', name: item.name, project_id: null }
  if (kind === 'vpc') await clearVpc(cx, action, item)
  await deletionOf(step).run(cx, step, step)
}

/** Subnets of a VPC that are deleted at once. */
const subnetsAtOnce = 50

/** Deletes what must go before a VPC, unless anything is in the way: then nothing is deleted. */
async function clearVpc(cx: Cx, action: Action, item: Item): Promise<void> {
  const { services } = cx
  const author = await callOf(services, action, item)
  const root = await needRoot(author, 'vpc', item.instance_id ?? '')
  const [blocker] = (await planOf(author, author.db, root)).blockers
  if (blocker) throw invalid(blocker.message, blocker.help)
  const planned = { time_created: cx.now() }
  for (;;) {
    const todo = await nextSteps(author, author.db, root, planned, subnetsAtOnce)
    if ('waiting' in todo) return
    const before = todo.steps.filter(({ id }) => id !== root.id)
    if (before.length === 0) return
    for (const step of before) {
      const { op, run } = deletionOf(step)
      const call = await callOf(services, action, item, { op, step })
      call.guard = async (tx) => {
        if (!(await isPending(tx, action, item))) throw new AlreadySettled()
      }
      await run(call, step, root)
    }
  }
}

/**
 * The single call, with the author's identity and current roles. Its request id tells its changes from those of the
 * other calls, and stays the same when the job runs again.
 */
async function callOf(
  services: Services,
  task: Action,
  { position, instance_id, name }: Item,
  before?: { op: OpName; step: Step },
): Promise<Cx> {
  const op = before?.op ?? callFor(task)
  const { credential: _credential, ...request } = task.request
  const ofOthers = { object_id: before?.step.id ?? instance_id, name: before?.step.name ?? name }
  const info = {
    ...request,
    id: `${request.id}/${position}${before ? `/${before.step.id}` : ''}`,
    operation: operationId(op),
    status: ops[op].status,
    details:
      task.kind === 'instance'
        ? { instance_id, name }
        : { ...ofOthers, kind: before?.step.kind ?? listKind(task.kind).noun },
  }
  // A VPC and its subnets are restored together.
  const together = task.kind === 'vpc' &&
    task.action === 'delete' &&
    instance_id !== null && { id: instance_id, object_id: instance_id, name: name ?? '' }
  const whole = { ...info, ...(together && { task: { ...together, kind: 'vpc' as const } }) }
  const cx = new Cx(services, await authorOfTask(services, task), requestInfo(services, whole))
  cx.isForGood = task.is_for_good
  return cx
}

/** Stores that the call was refused, with the audit record that the single call would have left. */
const refuse = (call: Cx, action: Action, item: Item, refusal: Refusal): Promise<void> =>
  change(systemCx(call.services, 'job:instance-action'), action, async (tx) => {
    const { status, code, message } = refusal
    if (!(await settle(tx, action, item, refusedAs(refusal)))) return
    await tx.plain.insertInto('audit').values(auditRow(call, { status, code, message })).execute()
  })

/** Locks the item, so that no other process stores a result until the change ends. */
const isPending = async ({ plain }: Alongside, { id }: Action, { position }: Item): Promise<boolean> =>
  (await plain
    .selectFrom('instance_action_item')
    .select('position')
    .where('action_id', '=', id)
    .where('position', '=', position)
    .where('state', '=', 'pending')
    .forUpdate()
    .executeTakeFirst()) !== undefined

/** Stores the result of the call and publishes it; false if it was stored before. */
async function settle(
  tx: Alongside,
  { id, action, project_id, creation }: Action,
  { position, name }: Item,
  error?: Refused,
): Promise<boolean> {
  // Deletion and tagging complete with their transaction, and so does creating what is not started; all other actions take time.
  const isDone =
    action === 'delete' || action === 'tag' || (action === 'create' && creation?.instance.start === false)
  const accepted = isDone ? 'done' : 'under_way'
  const created = action === 'create' && !error ? await instanceNamed(tx, project_id, name) : undefined
  const written = await tx.plain
    .updateTable('instance_action_item')
    .set(
      error
        ? { state: 'failed', error: JSON.stringify(error) }
        : { state: accepted, ...(created && { instance_id: created.id }) },
    )
    .where('action_id', '=', id)
    .where('position', '=', position)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  tx.note('instance-action', id, undefined, { position })
  return written.numUpdatedRows > 0n
}

const instanceNamed = async ({ plain }: Alongside, project_id: string | null, name: string | null) => {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM instance WHERE project_id = ${project_id} AND name = ${name}
      AND time_deleted IS NULL`.execute(plain)
  return rows[0]
}
