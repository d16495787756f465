import { z } from 'zod'
import type { Row } from '@gantry/control-plane/db/tables'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { repeatIn, defineJob } from '@gantry/control-plane/change/define-job'
import { drainInstance, type OnSled } from './instance.ts'
import { findDrain, isFinished, itemsOf, lockRunning } from './store.ts'
import { settleItems } from './settle.ts'

/** Interval between passes over a sled on which something still runs. */
const recheckMs = 1000

/**
 * One pass over the sled: begins to migrate or stop each instance, and records the results of earlier passes;
 * repeats until nothing is left. Passes are idempotent: each acts on the current state.
 */
export const sledDrain = defineJob(
  'sled-drain',
  z.object({ drain_id: z.string() }),
  async (cx, { drain_id }) => {
    const drain = await findDrain(cx.db, drain_id)
    if (drain?.state !== 'running') return undefined
    for (const one of await runningOn(cx, drain)) await drainInstance(cx, drain, one)
    await settleItems(cx, drain)
    return (await complete(cx, drain)) ? undefined : repeatIn(recheckMs)
  },
  { maxAttempts: Infinity },
)

const runningOn = (cx: Cx, { sled_id }: Row<'sled_drain'>): Promise<OnSled[]> =>
  cx.db
    .selectFrom('vmm')
    .innerJoin('instance', 'instance.id', 'vmm.instance_id')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .select(['instance.id', 'instance.run_state', 'project.silo_id', 'project.id as project_id'])
    .where('vmm.sled_id', '=', sled_id)
    .where('vmm.time_gone', 'is', null)
    .orderBy('instance.id')
    .execute()

/**
 * Ends the drain once nothing runs on the sled and nothing is in transition; returns whether it has ended.
 */
const complete = (cx: Cx, { id, sled_id }: Row<'sled_drain'>): Promise<boolean> =>
  change(cx, { silo_id: null, project_id: null }, async (tx) => {
    // Locked, so that no VM is placed between the check and the end.
    await tx.lockById('sled', sled_id)
    if (!(await lockRunning(tx, id))) return true
    const left = await tx.read
      .selectFrom('vmm')
      .select('id')
      .where('sled_id', '=', sled_id)
      .where('time_gone', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (left || (await itemsOf(tx.read, id)).some(({ state }) => !isFinished(state))) return false
    await tx.plain
      .updateTable('sled_drain')
      .set({ state: 'done', time_ended: cx.now() })
      .where('id', '=', id)
      .execute()
    tx.note('sled-drain', id, { state: 'running' }, { state: 'done' })
    return true
  })
