import type { Row } from '@gantry/control-plane/db/tables'
import { change, type Change, changeBefore } from '@gantry/control-plane/change/change'
import { type Cx, systemCx } from '@gantry/control-plane/context/cx'
import { ignoreNotFound } from '@gantry/control-plane/work/ignore-not-found'
import { Refusal } from '@gantry/control-plane/context/refusal'
import { moveMachine } from '../machines/move-machine.ts'
import { stopInstance } from '../instances/power.ts'
import { lockRunning, putItem } from './store.ts'

type Drain = Row<'sled_drain'>
type Instance = Row<'instance'>

export interface OnSled {
  id: string
  silo_id: string
  project_id: string
  run_state: Instance['run_state']
}

/**
 * Begins to migrate or stop one instance; a failure is stored for the operator, and retried in the next pass.
 */
export async function drainInstance(cx: Cx, drain: Drain, on: OnSled): Promise<void> {
  const step = drain.mode === 'move' ? move : stop
  try {
    await step(cx, drain, on)
  } catch (error) {
    cx.services.log.warn({ err: error, drain: drain.id, instance: on.id }, 'a drain could not act')
    const reason = error instanceof Refusal ? error.message : 'It could not be reached. The next try is soon.'
    await inDrain(cx, drain, on, (tx) => keepPending(tx, drain, on.id, reason))
  }
}

/** Only while the drain runs: a cancelled one starts nothing. */
const inDrain = (cx: Cx, drain: Drain, { silo_id, project_id }: OnSled, run: (tx: Change) => Promise<void>) =>
  change(cx, { silo_id, project_id }, async (tx) => {
    if (await lockRunning(tx, drain.id)) await run(tx)
  })

const keepPending = (tx: Change, { id }: Drain, instance_id: string, reason: string) =>
  notedAt(tx, () => putItem(tx, { drain_id: id, instance_id, state: 'pending', sled_id: null, reason }))

/** Drains belong to the fleet, whatever silo the instance is in. */
async function notedAt(tx: Change, run: () => Promise<void>): Promise<void> {
  tx.at({ silo_id: null, project_id: null })
  await run()
}

const move = (cx: Cx, drain: Drain, on: OnSled): Promise<void> =>
  inDrain(cx, drain, on, async (tx) => {
    const instance = await tx.lockById('instance', on.id).catch(ignoreNotFound)
    if (!instance) return
    if (instance.run_state !== 'running') return keepPending(tx, drain, on.id, whyPending(instance))
    const moved = await moveMachine(tx, instance, drain.sled_id)
    if ('refusal' in moved) return keepPending(tx, drain, on.id, moved.refusal.message)
    const { sledId: sled_id } = moved
    await notedAt(tx, () =>
      putItem(tx, { drain_id: drain.id, instance_id: on.id, state: 'moving', sled_id, reason: null }),
    )
  })

const whyPending = ({ run_state }: Instance): string =>
  `It is ${run_state} and can be moved once it is running.`

/** The drain was cancelled, or the instance has left the sled. */
class DrainEnded extends Error {}

/** Uses the single call's service, as the system, as long as the drain and the instance are there. */
async function stop(cx: Cx, drain: Drain, on: OnSled): Promise<void> {
  const own = systemCx(cx.services, cx.request.operation)
  own.guard = async (tx) => {
    if (!(await lockRunning(tx, drain.id)) || !(await isStillOn(tx, drain, on))) throw new DrainEnded()
  }
  const state = {
    drain_id: drain.id,
    instance_id: on.id,
    state: 'stopping',
    sled_id: null,
    reason: null,
  } as const
  try {
    await changeBefore(own, on, (tx) => notedAt(tx, () => putItem(tx, state)))
    if (on.run_state !== 'stopping') await stopInstance(own, { instance: on.id })
  } catch (error) {
    if (!(error instanceof DrainEnded)) throw error
  }
}

const isStillOn = async (
  { plain }: Pick<Change, 'plain'>,
  { sled_id }: Drain,
  { id }: OnSled,
): Promise<boolean> =>
  (await plain
    .selectFrom('vmm')
    .select('id')
    .where('instance_id', '=', id)
    .where('sled_id', '=', sled_id)
    .where('time_gone', 'is', null)
    .executeTakeFirst()) !== undefined
