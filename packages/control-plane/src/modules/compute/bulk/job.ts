import type { BulkAction } from '@gantry/api/compute/instance-action.rules'
import type { Refused } from '@gantry/api/extensions'
import { operationId, ops } from '@gantry/api/registry'
import { z } from 'zod'
import { authorOfTask } from '@gantry/control-plane/authz/person'
import type { Row } from '@gantry/control-plane/db/tables'
import { auditRow } from '@gantry/control-plane/change/audit'
import { change } from '@gantry/control-plane/change/change'
import { type Alongside, Cx, requestInfo, systemCx } from '@gantry/control-plane/context/cx'
import type { Services } from '@gantry/control-plane/context/services'
import { defineJob } from '@gantry/control-plane/change/define-job'
import { Refusal, refusedAs } from '@gantry/control-plane/context/refusal'
import { rebootInstance, startInstance, stopInstance } from '../instances/power.ts'
import { deleteInstance } from '../instances/service.ts'

type Action = Row<'instance_action'>
type Item = Pick<Row<'instance_action_item'>, 'position' | 'instance_id' | 'name'>

/** Instances processed concurrently. */
const concurrency = 8

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
    await singleCalls[action.action].run(cx, { instance: item.instance_id })
  } catch (error) {
    if (error instanceof AlreadySettled) return
    if (!(error instanceof Refusal) || error.code === 'ServiceNotAvailable') throw error
    await refuse(cx, action, item, error)
  }
}

/**
 * The single call, with the author's identity and current roles. Its request id tells its changes from those of the
 * other calls, and stays the same when the job runs again.
 */
async function callOf(services: Services, task: Action, { position, instance_id, name }: Item): Promise<Cx> {
  const { op } = singleCalls[task.action]
  const { credential: _credential, ...request } = task.request
  const info = {
    ...request,
    id: `${request.id}/${position}`,
    operation: operationId(op),
    status: ops[op].status,
    details: { instance_id, name },
  }
  return new Cx(services, await authorOfTask(services, task), requestInfo(services, info))
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
  { id, action }: Action,
  { position }: Item,
  error?: Refused,
): Promise<boolean> {
  // Deletion completes with its transaction; all other actions take time.
  const accepted = action === 'delete' ? 'done' : 'under_way'
  const written = await tx.plain
    .updateTable('instance_action_item')
    .set(error ? { state: 'failed', error: JSON.stringify(error) } : { state: accepted })
    .where('action_id', '=', id)
    .where('position', '=', position)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  tx.note('instance-action', id, undefined, { position })
  return written.numUpdatedRows > 0n
}
