import type { Row } from '../../db/tables.ts'
import { installReport } from '../../fleet/component-update.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import { type Cx, systemCx } from '../../context/cx.ts'
import type { Reconciler } from '../../work/loop.ts'
import { beginDrain } from '../compute/drain/service.ts'
import { runningDrain } from '../compute/drain/store.ts'
import { type Component, componentsOf, stateOf } from './components.ts'
import { lockPlan, planId } from './plan.ts'
import { currentTarget } from './target-row.ts'

/** Interval between checks of a draining sled, or of one that may come back. */
const recheckMs = 1000

type Stored = Row<'update_component'>

/**
 * Updates the rack to the target release, one component at a time, so that it keeps running. Each run takes at most
 * one step, derived from the rows, so that a crash at any point leaves nothing half done.
 */
export const systemUpdate: Reconciler = {
  name: 'system-update',
  everyMs: 30_000,
  async run(services) {
    const cx = systemCx(services, 'reconcile:system-update')
    if (!(await isPending(cx))) return undefined
    return change(cx, fleetScope, (tx) => step(tx))
  },
}

/** Without a lock: usually there is nothing to do. */
async function isPending(cx: Cx): Promise<boolean> {
  const target = await currentTarget(cx.db)
  if (!target) return false
  const components = await componentsOf(cx.db)
  return components.some((each) => stateOf(each, target.system_version) !== 'current')
}

/** Takes one step; returns when the next one is due (ms), if known. */
async function step(tx: Change): Promise<number | undefined> {
  const plan = await lockPlan(tx)
  const target = (await currentTarget(tx.read))?.system_version
  if (target === undefined) return undefined
  const components = await componentsOf(tx.read)
  const inState = (state: ReturnType<typeof stateOf>) =>
    components.filter((each) => stateOf(each, target) === state)
  const [active] = [...inState('updating'), ...inState('draining')]
  if (active) return active.row?.state === 'updating' ? install(tx, active) : drain(tx, active, target)
  // Begins nothing after a failure: the next component could fail for the same reason.
  if (plan.is_suspended || inState('failed').length > 0) return undefined
  const pending = inState('pending')
  const next = pending.find(({ is_lost }) => !is_lost)
  if (next) return begin(tx, next, target)
  return pending.length > 0 ? 5 * recheckMs : undefined
}

async function begin(tx: Change, component: Component, target: string): Promise<number> {
  await tx.plain
    .updateTable('update_plan')
    .set({ time_last_step: tx.cx.now() })
    .where('id', '=', planId)
    .execute()
  if (component.kind !== 'sled_host') {
    await put(tx, component, { state: 'updating', target, reason: null })
    return 0
  }
  // Its host restarts, so instances move to other sleds first, and new ones are placed elsewhere.
  const sled = await tx.lockById('sled', component.hardware_id)
  const reopens = (component.row?.reopens ?? false) || sled.is_provisionable
  const { id } = (await runningDrain(tx.read, sled.id)) ?? (await beginDrain(tx, sled, 'move'))
  const reason = 'Its instances move to other sleds first.'
  await put(tx, component, { state: 'draining', target, drain_id: id, reopens, reason })
  return recheckMs
}

async function drain(tx: Change, component: Component, target: string): Promise<number> {
  const found = await tx.read
    .selectFrom('sled_drain')
    .select('state')
    .where('id', '=', component.row?.drain_id ?? '')
    .executeTakeFirst()
  if (found?.state === 'running') return recheckMs
  if (found?.state === 'done') {
    await put(tx, component, { state: 'updating', target, drain_id: null, reason: null })
    return 0
  }
  const reason = 'The drain of its sled was cancelled before the sled was empty.'
  await put(tx, component, { state: 'failed', drain_id: null, reason, attempts: attemptsOf(component) + 1 })
  return 0
}

async function install(tx: Change, component: Component): Promise<number> {
  const { kind, row, is_faulty, is_lost } = component
  if (!row) throw new Error('an installation without a row')
  // The sled went down, which ended its update; it restarts when the sled is back.
  if (is_lost) {
    await put(tx, component, { state: null, reason: null, target: null })
    return 0
  }
  const report = installReport({ kind, since: row.time_changed, isFaulty: is_faulty }, tx.cx.now())
  if (typeof report === 'object') return report.inMs
  if (report === 'installed') {
    const done = { state: null, version: row.target, target: null, reason: null, attempts: 0, reopens: false }
    await put(tx, component, done)
  } else {
    const reason = 'The new software did not start. It runs the previous release again.'
    await put(tx, component, { state: 'failed', reason, reopens: false, attempts: attemptsOf(component) + 1 })
  }
  if (row.reopens) await reopen(tx, component.hardware_id)
  return 0
}

const attemptsOf = ({ row }: Component): number => row?.attempts ?? 0

/** Restores the sled's provision policy. */
async function reopen(tx: Change, sledId: string): Promise<void> {
  const sled = await tx.lockById('sled', sledId)
  if (!sled.is_provisionable && !(await runningDrain(tx.read, sledId)))
    await tx.update('sled', sled, { is_provisionable: true })
}

async function put(
  tx: Change,
  { kind, hardware_id, serial, row }: Component,
  patch: Partial<Omit<Stored, 'kind' | 'hardware_id' | 'time_changed'>>,
): Promise<void> {
  const time_changed = tx.cx.now()
  const { version = null, state = null, target = null, reason = null, drain_id = null } = row ?? {}
  const before = { version, state, target, reason, drain_id }
  await tx.plain
    .insertInto('update_component')
    .values({ kind, hardware_id, ...before, ...patch, time_changed })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'hardware_id']).doUpdateSet({ ...patch, time_changed }),
    )
    .execute()
  tx.note('system-update', hardware_id, { kind, serial, ...before }, { kind, serial, ...before, ...patch })
}
