import { bulkActionLimits, bulkOutcome, missedWords } from '@gantry/api/compute/instance-action.rules'
import type { Refused } from '@gantry/api/extensions'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Change, change } from '@gantry/control-plane/change/change'
import { systemCx } from '@gantry/control-plane/context/cx'
import type { Services } from '@gantry/control-plane/context/services'
import { eachInTurn, type Reconciler } from '@gantry/control-plane/work/loop'
import { itemCounts } from './counts.ts'

type Action = Row<'instance_action'>
/** An item without a result, with its instance's current state, if it still exists. */
interface Open extends Pick<Row<'instance_action_item'>, 'position' | 'state'> {
  run_state: Row<'instance'>['run_state'] | null
  time_run_state_updated: Date | null
  failure: Row<'instance'>['failure']
}

const batch = 20
/** Batches of one run, so that it stays short however many actions are open. */
const batchesOfRun = 5
/** Interval between checks of open actions, in ms. */
const recheckMs = 500

/** Settles items by the state their instances reach, and completes actions without open items. */
export function actionOutcomes(): Reconciler {
  /** Where the next run continues: slow actions must not hide the outcome of others. */
  let after: string | undefined
  return {
    name: 'instance-action-outcomes',
    everyMs: 10_000,
    async run(services) {
      const isWhole = after === undefined
      for (let count = 0; count < batchesOfRun; count++) {
        const open = await openActions(services, after)
        await eachInTurn(services, 'instance-action-outcomes', open, (action) =>
          settleAction(services, action),
        )
        const isLast = open.length < batch
        const hasNone = isWhole && count === 0 && open.length === 0
        after = isLast ? undefined : open.at(-1)?.id
        if (isLast) return hasNone ? undefined : recheckMs
      }
      return recheckMs
    },
  }
}

function openActions({ db }: Services, after: string | undefined): Promise<Action[]> {
  const rows = db
    .selectFrom('instance_action')
    .selectAll()
    .where('time_completed', 'is', null)
    .orderBy('id')
    .limit(batch)
  return (after === undefined ? rows : rows.where('id', '>', after)).execute()
}

async function settleAction(services: Services, action: Action): Promise<void> {
  const cx = systemCx(services, 'reconcile:instance-actions')
  const items = await openItems(services, action.id)
  const settled = items.flatMap((item) => {
    const result = resultOf(action, item, cx.now())
    return result ? [{ position: item.position, ...result }] : []
  })
  const isDone = settled.length === items.length
  if (settled.length === 0 && !isDone) return
  await change(cx, action, async (tx) => {
    for (const { position, ...result } of settled)
      await tx.plain
        .updateTable('instance_action_item')
        .set(result)
        .where('action_id', '=', action.id)
        .where('position', '=', position)
        .where('state', '=', 'under_way')
        .execute()
    if (isDone)
      await tx.plain
        .updateTable('instance_action')
        .set({ time_completed: cx.now(), ...(await countsOf(tx, action.id)) })
        .where('id', '=', action.id)
        .where('time_completed', 'is', null)
        .execute()
    tx.note('instance-action', action.id, undefined, isDone ? { state: 'done' } : { settled: settled.length })
  })
}

/** Kept, so that reading a task does not count its items. */
async function countsOf(tx: Change, id: string) {
  const { rows } = await itemCounts(tx.plain, [id])
  const { done = 0, failed = 0, total = 0 } = rows[0] ?? {}
  return { done_count: done, failed_count: failed, total_count: total }
}

const openItems = (services: Services, actionId: string): Promise<Open[]> =>
  services.db
    .selectFrom('instance_action_item as item')
    .leftJoin('instance', (join) =>
      join.onRef('instance.id', '=', 'item.instance_id').on('instance.time_deleted', 'is', null),
    )
    .select([
      'item.position',
      'item.state',
      'instance.run_state',
      'instance.time_run_state_updated',
      'instance.failure',
    ])
    .where('item.action_id', '=', actionId)
    .where('item.state', 'in', ['pending', 'under_way'])
    .execute()

/** The item's result; undefined while it is pending. */
function resultOf(
  { action }: Action,
  { state: itemState, run_state, time_run_state_updated, failure }: Open,
  now: Date,
): { state: 'done' } | { state: 'failed'; error: string } | undefined {
  if (itemState === 'pending') return undefined
  // It is done with its transaction.
  if (action === 'tag') return { state: 'done' }
  const state = run_state ?? undefined
  const wanted = action === 'create' ? 'start' : action
  const outcome = bulkOutcome(wanted, state)
  if (outcome === 'reached') return { state: 'done' }
  const waited = time_run_state_updated ? now.getTime() - time_run_state_updated.getTime() : 0
  if (outcome === 'under_way' && waited < bulkActionLimits.settleMinutes * 60_000) return undefined
  const own = failure && { code: failure.code, message: failure.message, help: failure.next_step }
  const error: Refused = own ?? {
    code: 'Conflict',
    message: missedWords(wanted, state),
    help: state === undefined ? '' : 'Look at the instance, then try again.',
  }
  return { state: 'failed', error: JSON.stringify(error) }
}
