import type { FailureReason } from '@gantry/api/extensions'
import type { RunState } from '@gantry/api/instance.rules'
import type { VmReport } from '../../fleet/fleet.ts'
import type { Patch, Row } from '../../db/tables.ts'
import type { Change } from '../../kernel/change.ts'
import { failureOf } from '../../kernel/jobs.ts'
import { release } from '../silo/quota.ts'
import { useSled } from './reserve.ts'

type Instance = Row<'instance'>

/** Changes an instance's state; durations are measured from the time of the last change. */
export const moveTo = (
  tx: Change,
  instance: Instance,
  run_state: RunState,
  more: Patch<'instance'> = {},
): Promise<Instance> =>
  tx.update(
    'instance',
    instance,
    {
      ...more,
      ...(instance.run_state === run_state ? {} : { run_state, time_run_state_updated: tx.cx.now() }),
    },
    { touch: false },
  )

/** Releases the VM's reservation: the sled's capacity and the quota are free again. */
export async function releaseVmm(tx: Change, instance: Instance, siloId: string): Promise<void> {
  if (!instance.vmm_id) return
  const vmm = await tx.plain
    .selectFrom('vmm')
    .selectAll()
    .where('id', '=', instance.vmm_id)
    .forUpdate()
    .executeTakeFirst()
  if (!vmm || vmm.time_gone) return
  await tx.plain.updateTable('vmm').set({ time_gone: tx.cx.now() }).where('id', '=', vmm.id).execute()
  await useSled(tx, vmm.sled_id, vmm, -1)
  await release(
    tx,
    { silo_id: siloId, project_id: instance.project_id },
    { cpus: vmm.ncpus, memory: vmm.memory },
  )
  await tx.cx.services.fleet.forget(tx, vmm.id)
}

/** Applies a sled's report to the instance's record. */
export async function fold(tx: Change, instance: Instance, siloId: string, report: VmReport): Promise<void> {
  switch (report.state) {
    case 'starting':
      return
    case 'running':
      await moveTo(tx, instance, 'running', { failure: null })
      return
    case 'rebooting':
    case 'migrating':
      await moveTo(tx, instance, report.state)
      return
    case 'stopping':
      // A guest that shuts itself down does so on purpose, so it is not restarted automatically.
      await moveTo(tx, instance, 'stopping', report.by_guest ? { intended_state: 'guest_shutdown' } : {})
      return
    case 'stopped':
      await releaseVmm(tx, instance, siloId)
      await moveTo(tx, instance, 'stopped', { vmm_id: null, failure: null })
      return
    case 'failed':
      await fail(
        tx,
        instance,
        siloId,
        report.reason ?? failureOf(new Error('The machine ended for an unknown reason.'), tx.cx.now()),
      )
      return
    default:
      report.state satisfies never
  }
}

export async function fail(
  tx: Change,
  instance: Instance,
  siloId: string,
  reason: FailureReason,
): Promise<Instance> {
  await releaseVmm(tx, instance, siloId)
  return moveTo(tx, instance, 'failed', { vmm_id: null, failure: JSON.stringify(reason) })
}
