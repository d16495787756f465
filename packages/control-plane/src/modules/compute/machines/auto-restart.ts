import { autoRestartCooldownSeconds } from '@gantry/api/compute/instance.rules'
import { systemCx } from '@gantry/control-plane/context/cx'
import type { Services } from '@gantry/control-plane/context/services'
import { latestPast } from '@gantry/control-plane/context/time'
import { eachInTurn, type Reconciler } from '@gantry/control-plane/work/loop'
import { type RawBuilder, sql } from 'kysely'
import { hasQuotaToStart, isRefusedByOwnLimit } from '../../silo/quota.ts'
import { startFailed } from './start-failed.ts'

const batch = 64

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

/** Whether an instance is to be restarted now. */
function isRestartable(now: Date): RawBuilder<boolean> {
  const cooled = new Date(now.getTime() - autoRestartCooldownSeconds * 1000)
  return sql`instance.run_state = 'failed' AND instance.intended_state = 'running' AND NOT instance.is_interrupted
    AND instance.auto_restart_policy IS DISTINCT FROM 'never'
    AND (instance.time_last_auto_restarted IS NULL OR instance.time_last_auto_restarted <= ${cooled}
      OR instance.time_last_auto_restarted > ${latestPast(now)})`
}

function restartable(services: Services, after: string | undefined) {
  const rows = services.db
    .selectFrom('instance')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .select(['instance.id', 'project.silo_id', 'project.id as project_id'])
    .where('instance.time_deleted', 'is', null)
    .where(isRestartable(services.clock()))
    // One that its quota refused is not tried before there is room.
    .where((eb) => eb.or([eb.not(isRefusedByOwnLimit('instance.failure')), hasQuotaToStart]))
    .orderBy('instance.id')
    .limit(batch)
  return (after === undefined ? rows : rows.where('instance.id', '>', after)).execute()
}

async function restart(
  services: Services,
  instanceId: string,
  scope: { silo_id: string; project_id: string },
): Promise<void> {
  const now = services.clock()
  const cx = systemCx(services, 'reconcile:auto-restart')
  await startFailed(cx, { id: instanceId, ...scope }, isRestartable(now), { time_last_auto_restarted: now })
}
