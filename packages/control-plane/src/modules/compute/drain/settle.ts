import type { DrainItemState } from '@gantry/api/system/hardware.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { isFinished, itemsOf, lockRunning, putItem } from './store.ts'

/** The current state of an instance in the drain. */
interface InstanceStatus {
  run_state: Row<'instance'>['run_state']
  /** The sled of its VM; null if it has none. */
  sled_id: string | null
}

/** The result of an item; undefined while it is pending. */
function outcome(
  item: Row<'sled_drain_item'>,
  drained: string,
  now: InstanceStatus | undefined,
): DrainItemState | undefined {
  if (!now) return 'ended'
  if (now.sled_id === drained) return undefined
  switch (item.state) {
    case 'moving':
      if (now.run_state === 'migrating') return undefined
      return now.sled_id === item.sled_id ? 'moved' : 'ended'
    case 'stopping':
      return now.run_state === 'stopped' ? 'stopped' : 'ended'
    case 'pending':
      return 'ended'
    default:
      return undefined
  }
}

/** Records the results for instances of earlier passes. */
export async function settleItems(cx: Cx, { id, sled_id }: Row<'sled_drain'>): Promise<void> {
  const open = (await itemsOf(cx.db, id)).filter(({ state }) => !isFinished(state))
  if (open.length === 0) return
  const rows = await cx.db
    .selectFrom('instance')
    .leftJoin('vmm', (join) => join.onRef('vmm.id', '=', 'instance.vmm_id').on('vmm.time_gone', 'is', null))
    .select(['instance.id', 'instance.run_state', 'vmm.sled_id'])
    .where('instance.time_deleted', 'is', null)
    .where(
      'instance.id',
      'in',
      open.map((item) => item.instance_id),
    )
    .execute()
  const now = new Map(rows.map((row) => [row.id, row]))
  const settled = open.flatMap((item) => {
    const state = outcome(item, sled_id, now.get(item.instance_id))
    return state ? [{ ...item, state, reason: null }] : []
  })
  if (settled.length === 0) return
  await change(cx, { silo_id: null, project_id: null }, async (tx) => {
    if (!(await lockRunning(tx, id))) return
    for (const item of settled) await putItem(tx, item)
  })
}
