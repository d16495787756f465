import type { UpdateComponent, UpdateProgress, UpdateStatus } from '@gantry/api/system/update'
import { installDataset, supportAfterAttempts } from '@gantry/api/system/update.rules'
import { change, fleetScope } from '../../change/change.ts'
import { fleetId } from '../../authz/actor.ts'
import type { Cx } from '../../context/cx.ts'
import { needFleet } from '../../lookup/need.ts'
import { conflict } from '../../context/refusal.ts'
import { type Component, componentsOf, countsOf, stateOf } from './components.ts'
import { lockPlan, planId } from './plan.ts'
import { currentTarget, firstRack } from './target-row.ts'

export async function viewStatus(cx: Cx): Promise<UpdateStatus> {
  const { components: _, time_last_step_planned, target_release, ...status } = await viewProgress(cx)
  // Before the first step, nothing has been planned since the rack exists.
  const planned = time_last_step_planned ?? ((await firstRack(cx.db))?.time_created ?? cx.now()).toISOString()
  return { ...status, target_release, time_last_step_planned: planned }
}

export async function viewProgress(cx: Cx): Promise<UpdateProgress> {
  needFleet(cx, 'read')
  const target = await currentTarget(cx.db)
  const plan = await cx.db.selectFrom('update_plan').selectAll().where('id', '=', planId).executeTakeFirst()
  const found = await componentsOf(cx.db)
  const left = await leftOnDrains(cx, found)
  const components = found.map((each) => componentView(each, target?.system_version, left))
  return {
    target_release: target
      ? { version: target.system_version, time_requested: target.time_requested.toISOString() }
      : null,
    components_by_release_version: countsOf(found),
    time_last_step_planned: plan?.time_last_step?.toISOString() ?? null,
    suspended: plan?.is_suspended ?? false,
    contact_support: components.some(
      ({ state, attempts }) => state === 'failed' && attempts >= supportAfterAttempts,
    ),
    components,
  }
}

function componentView(
  component: Component,
  target: string | undefined,
  left: ReadonlyMap<string, number>,
): UpdateComponent {
  const { kind, hardware_id, serial, cubby, row, is_lost } = component
  const state = stateOf(component, target)
  const waiting =
    state === 'pending' && is_lost ? 'The sled does not answer. It is updated once it does.' : null
  return {
    kind,
    hardware_id: serial === null ? null : hardware_id,
    serial,
    cubby,
    version: row?.version ?? installDataset,
    state,
    reason: (state === 'draining' ? drainReason(left.get(row?.drain_id ?? '')) : row?.reason) ?? waiting,
    attempts: row?.attempts ?? 0,
    time_changed: row?.time_changed.toISOString() ?? null,
  }
}

const drainReason = (left: number | undefined): string | null =>
  left ? `${left === 1 ? '1 instance has' : `${left} instances have`} to move to other sleds first.` : null

/** The number of VMs that still run on draining sleds, by drain. */
async function leftOnDrains(cx: Cx, components: readonly Component[]): Promise<Map<string, number>> {
  const drains = components.flatMap(({ row, hardware_id }) =>
    row?.drain_id ? [{ drain: row.drain_id, sled: hardware_id }] : [],
  )
  if (drains.length === 0) return new Map()
  const rows = await cx.db
    .selectFrom('vmm')
    .select((eb) => ['sled_id', eb.fn.countAll<number>().as('count')])
    .where(
      'sled_id',
      'in',
      drains.map(({ sled }) => sled),
    )
    .where('time_gone', 'is', null)
    .groupBy('sled_id')
    .execute()
  const bySled = new Map(rows.map(({ sled_id, count }) => [sled_id, count]))
  return new Map(drains.map(({ drain, sled }) => [drain, bySled.get(sled) ?? 0]))
}

/** Components in progress finish, and no others begin. Idempotent. */
export const setSuspended = async (cx: Cx, is_suspended: boolean): Promise<void> => {
  needFleet(cx, 'modify')
  await change(cx, fleetScope, async (tx) => {
    const plan = await lockPlan(tx)
    if (plan.is_suspended === is_suspended) return
    await tx.plain.updateTable('update_plan').set({ is_suspended }).where('id', '=', planId).execute()
    tx.note('system-update', fleetId, { is_suspended: plan.is_suspended }, { is_suspended })
  })
  cx.services.wake.updates()
}

/** Retries the components whose update failed. */
export async function retryFailed(cx: Cx): Promise<void> {
  needFleet(cx, 'modify')
  await change(cx, fleetScope, async (tx) => {
    await lockPlan(tx)
    const failed = await tx.plain
      .updateTable('update_component')
      .set({ state: null, target: null, reason: null, time_changed: cx.now() })
      .where('state', '=', 'failed')
      .returning(['kind', 'hardware_id'])
      .execute()
    if (failed.length === 0) throw conflict('no component has failed', 'There is nothing to retry.')
    for (const { kind, hardware_id } of failed)
      tx.note('system-update', hardware_id, { kind, state: 'failed' }, { kind, state: null })
  })
  cx.services.wake.updates()
}
