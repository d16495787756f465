import type { Row } from '../../db/tables.ts'
import { change } from '../../kernel/change.ts'
import { latestPast } from '../../kernel/time.ts'
import { systemCx } from '../../kernel/cx.ts'
import type { Services } from '../../kernel/services.ts'
import { ignoreNotFound } from '../../kernel/gone.ts'
import { failureOf } from '../../kernel/jobs.ts'
import { eachInTurn, type Reconciler } from '../../kernel/loop.ts'
import { autoRestartCooldownSeconds } from '@gantry/api/instance.rules'
import { fold } from './lifecycle.ts'
import { tryStart } from './try-start.ts'
import { ownerOf } from './vm-start.ts'

const batch = 64

/** Collects VM reports, oldest first. */
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
    // The reservation is gone; delete what the fleet still knows of the VM.
    await change(cx, { silo_id: null, project_id: null }, (tx) => services.fleet.forget(tx, vmmId))
    return
  }
  const state = await change(cx, owner.scope, async (tx) => {
    const instance = await tx.lock('instance', owner.instance_id).catch(ignoreNotFound)
    const report = await services.fleet.report(tx, vmmId)
    if (report && instance?.vmm_id === vmmId) await fold(tx, instance, owner.silo_id, report)
    return report?.state
  })
  if (state === 'failed') services.wake.restarts()
}

/**
 * Restarts failed instances that should run, allow it, and are not cooling down (control plane reference, B
 * 3.13).
 */
export const autoRestart: Reconciler = {
  name: 'restarts',
  everyMs: 60_000,
  async run(services) {
    // Processes all of them in batches: those that fit on no sled must not block the others.
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
    const instance = await tx.lock('instance', instanceId).catch(ignoreNotFound)
    if (instance?.run_state !== 'failed' || instance.intended_state !== 'running') return
    const started = await tryStart(tx, instance, scope.silo_id, undefined, {
      time_last_auto_restarted: cx.now(),
    })
    if ('instance' in started) return
    const failure: Row<'instance'>['failure'] = failureOf(started.refusal, cx.now())
    // Stores the latest reason, unless it is unchanged, to avoid a write every minute.
    if (instance.failure?.message !== failure.message)
      await tx.update('instance', instance, { failure: JSON.stringify(failure) }, { touch: false })
  })
}
