import type { SledDrain } from '@gantry/api/system/hardware'
import { type DrainMode, listedDrains } from '@gantry/api/system/hardware.rules'
import { canonicalUuid } from '@gantry/api/base/name.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Change, change, fleetScope } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { needCapability } from '@gantry/control-plane/fleet/capabilities'
import type { Reader } from '@gantry/control-plane/db/database'
import { need, needFleet, type Selectors } from '@gantry/control-plane/lookup/need'
import { conflict, notFound, refuseIf } from '@gantry/control-plane/context/refusal'
import { sledDrain } from './job.ts'
import { drainViews, findDrain, lockRunning, runningDrain } from './store.ts'

/** Excludes the sled from placement at once; a job migrates or stops what runs there. */
export async function createDrain(cx: Cx, at: Selectors, mode: DrainMode): Promise<SledDrain> {
  const { row } = await need(cx, 'sled', at, 'modify')
  if (mode === 'move') needCapability(cx.services.fleet, 'migration')
  const drain = await change(cx, fleetScope, async (tx) => {
    const sled = await tx.lock('sled', row)
    refuseIf(sled.policy !== 'in_service' && conflict('the sled is not in service', 'Nothing runs on it.'))
    refuseIf(
      (await runningDrain(tx.read, sled.id)) !== undefined &&
        conflict('the sled is already being drained', 'Wait until that is done, or cancel it first.'),
    )
    return beginDrain(tx, sled, mode)
  })
  return viewOf(cx.db, drain)
}

/** Begins to drain a sled that the change holds locked, and that is not being drained. */
export async function beginDrain(tx: Change, sled: Row<'sled'>, mode: DrainMode): Promise<Row<'sled_drain'>> {
  if (sled.is_provisionable) await tx.update('sled', sled, { is_provisionable: false })
  const drain = await tx.plain
    .insertInto('sled_drain')
    .values({
      id: tx.cx.newId(),
      sled_id: sled.id,
      mode,
      state: 'running',
      time_created: tx.cx.now(),
      time_ended: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx.job(sledDrain, { drain_id: drain.id })
  tx.note('sled-drain', drain.id, undefined, { sled_id: sled.id, mode })
  return drain
}

/** Completed and running migrations are kept: only the rest is skipped. */
export async function cancelDrain(cx: Cx, drainId: string): Promise<SledDrain> {
  const { id } = await knowDrain(cx, drainId)
  needFleet(cx, 'modify')
  const drain = await change(cx, fleetScope, async (tx) => {
    const running = await lockRunning(tx, id)
    if (!running) throw conflict('the drain is over', 'There is nothing left to cancel.')
    const ended = await tx.plain
      .updateTable('sled_drain')
      .set({ state: 'cancelled', time_ended: cx.now() })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    tx.note('sled-drain', id, { state: running.state }, { state: ended.state })
    return ended
  })
  return viewOf(cx.db, drain)
}

export async function listDrains(cx: Cx, at: Selectors): Promise<{ items: SledDrain[] }> {
  const { row: sled } = await need(cx, 'sled', at, 'list_children')
  const drains = await cx.db
    .selectFrom('sled_drain')
    .selectAll()
    .where('sled_id', '=', sled.id)
    .orderBy('time_created', 'desc')
    .orderBy('id')
    .limit(listedDrains)
    .execute()
  return { items: await drainViews(cx.db, drains) }
}

export const viewDrain = async (cx: Cx, drainId: string): Promise<SledDrain> =>
  viewOf(cx.db, await knowDrain(cx, drainId))

/** Callers who may not read the fleet see no drain. */
async function knowDrain(cx: Cx, drainId: string): Promise<Row<'sled_drain'>> {
  cx.user()
  const id = canonicalUuid(drainId)
  const drain = cx.can('read', { class: 'fleet' }) ? await findDrain(cx.db, id) : undefined
  if (!drain) throw notFound('sled-drain', { id })
  return drain
}

async function viewOf(db: Reader, drain: Row<'sled_drain'>): Promise<SledDrain> {
  const [view] = await drainViews(db, [drain])
  if (!view) throw new Error('a drain without a view')
  return view
}
