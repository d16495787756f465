import type { Row } from '../../db/tables.ts'
import { change } from '../../kernel/change.ts'
import { latestPast } from '../../kernel/clock.ts'
import { type Services, systemCx } from '../../kernel/cx.ts'
import { goneIsNothing } from '../../kernel/gone.ts'
import { failureOf } from '../../kernel/jobs.ts'
import { eachInTurn, type Reconciler } from '../../kernel/loop.ts'
import { autoRestartCooldownSeconds } from '@gantry/api/instance.rules'
import { fold } from './lifecycle.ts'
import { tryStart } from './try-start.ts'
import { ownerOf } from './vm-start.ts'

const batch = 64

/** Takes in what machines have to report, oldest first. */
export const fleetNews: Reconciler = {
  name: 'fleet',
  everyMs: 1000,
  async run(services) {
    const { ids, nextInMs } = await services.fleet.news(services.db, services.clock(), batch)
    await eachInTurn(services, 'fleet', ids, (vmmId) => takeNews(services, vmmId))
    return ids.length === batch ? 0 : nextInMs
  },
}

async function takeNews(services: Services, vmmId: string): Promise<void> {
  const cx = systemCx(services, 'reconcile:fleet')
  const owner = await ownerOf(cx.db, vmmId)
  if (!owner) {
    // The reservation is gone; what the fleet still knows of the machine goes too.
    await change(cx, { silo_id: null, project_id: null }, (tx) => services.fleet.forget(tx, vmmId))
    return
  }
  const state = await change(cx, owner.scope, async (tx) => {
    const instance = await tx.lock('instance', owner.instance_id).catch(goneIsNothing)
    const report = await services.fleet.report(tx, vmmId)
    if (report && instance?.vmm_id === vmmId) await fold(tx, instance, owner.silo_id, report)
    return report?.state
  })
  if (state === 'failed') services.wake.restarts()
}

/** Starts failed instances again: wanted running, allowed to, and not cooling down (control plane reference, B 3.13). */
export const autoRestart: Reconciler = {
  name: 'restarts',
  everyMs: 60_000,
  async run(services) {
    // All of them, a batch at a time: those that no sled can take must not keep the others waiting.
    for (let after: string | undefined; ;) {
      const rows = await restartable(services, after)
      await eachInTurn(services, 'restarts', rows, ({ id, ...scope }) => restart(services, id, scope))
      after = rows.at(-1)?.id
      if (rows.length < batch) return
    }
  },
}

function restartable(services: Services, after: string | undefined) {
  const now = services.clock()
  const cooled = new Date(now.getTime() - autoRestartCooldownSeconds * 1000)
  const rows = services.db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .select(['instance.id', 'project.silo_id', 'project.id as project_id'])
    .where('instance.time_deleted', 'is', null)
    .where('run_state', '=', 'failed')
    .where('intended_state', '=', 'running')
    .where((eb) =>
      eb.or([eb('auto_restart_policy', 'is', null), eb('auto_restart_policy', '=', 'best_effort')]),
    )
    .where((eb) =>
      eb.or([
        eb('time_last_auto_restarted', 'is', null),
        eb('time_last_auto_restarted', '<=', cooled),
        eb('time_last_auto_restarted', '>', latestPast(now)),
      ]),
    )
    .orderBy('instance.id')
    .limit(batch)
  return (after === undefined ? rows : rows.where('instance.id', '>', after)).execute()
}

async function restart(
  services: Services,
  instanceId: string,
  scope: { silo_id: string; project_id: string },
): Promise<void> {
  const cx = systemCx(services, 'reconcile:auto-restart')
  await change(cx, scope, async (tx) => {
    const instance = await tx.lock('instance', instanceId).catch(goneIsNothing)
    if (instance?.run_state !== 'failed' || instance.intended_state !== 'running') return
    const started = await tryStart(tx, instance, scope.silo_id, undefined, {
      time_last_auto_restarted: cx.now(),
    })
    if ('instance' in started) return
    const failure: Row<'instance'>['failure'] = failureOf(started.refusal, cx.now())
    // The newest reason is the one to act on; an unchanged one is not written again every minute.
    if (instance.failure?.message !== failure.message)
      await tx.update('instance', instance, { failure: JSON.stringify(failure) }, { touch: false })
  })
}
