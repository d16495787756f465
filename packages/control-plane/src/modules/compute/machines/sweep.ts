import type { FailureReason } from '@gantry/api/extensions'
import { sql } from 'kysely'
import type { MachineReport } from '@gantry/control-plane/fleet/fleet'
import { change, fleetScope } from '@gantry/control-plane/change/change'
import { type Cx, systemCx } from '@gantry/control-plane/context/cx'
import type { Reconciler } from '@gantry/control-plane/work/loop'
import type { Services } from '@gantry/control-plane/context/services'
import { applyReports, lockOwners } from './lifecycle.ts'

const pageRows = 1000

/**
 * Compares existing machines with reservations: machines without one are destroyed, and instances whose machine is
 * gone fail. No report covers either if the fleet itself has lost them, as after the loss of a host's disk or the
 * restore of a backup.
 */
export const machineSweep: Reconciler = {
  name: 'machine-sweep',
  everyMs: 60_000,
  async run(services) {
    for (let after: string | undefined; ;) {
      // Read first: a machine is reserved before it exists, and destroyed only after its reservation has ended.
      const started = await startedAfter(services, after)
      const existing = await services.fleet.machines.list(after, pageRows)
      // Both pages are complete up to the earlier of their ends.
      const until = [started, existing]
        .flatMap((page) => (page.length === pageRows ? page.slice(-1) : []))
        .reduce<string | undefined>(
          (least, id) => (least === undefined || id < least ? id : least),
          undefined,
        )
      const isCovered = (id: string): boolean => until === undefined || id <= until
      await destroyOrphans(services, existing.filter(isCovered))
      const exists = new Set(existing)
      const lost = started.filter((id) => isCovered(id) && !exists.has(id))
      const cx = systemCx(services, 'reconcile:machine-sweep')
      if (lost.length > 0) await failMachines(cx, lost, lostReason(cx.now()))
      if (until === undefined) return
      after = until
    }
  },
}

async function startedAfter({ db }: Services, after: string | undefined): Promise<string[]> {
  const ids = db
    .selectFrom('vmm')
    .select('id')
    .where('time_gone', 'is', null)
    .where('time_started', 'is not', null)
    .orderBy('id')
    .limit(pageRows)
  return (await (after === undefined ? ids : ids.where('id', '>', after)).execute()).map(({ id }) => id)
}

async function destroyOrphans({ db, fleet }: Services, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string }>`SELECT id FROM unnest(${ids}::uuid[]) AS known (id)
    WHERE NOT EXISTS (SELECT FROM vmm WHERE vmm.id = known.id AND vmm.time_gone IS NULL)`.execute(db)
  if (rows.length > 0) await fleet.machines.destroy(rows.map(({ id }) => id))
}

/** Fails the instances of machines that are gone without a report; those that were stopping are stopped. */
export async function failMachines(cx: Cx, ids: readonly string[], reason: FailureReason): Promise<void> {
  await change(cx, fleetScope, async (tx) => {
    const owners = await lockOwners(tx, ids)
    const report: MachineReport = { state: 'failed', by_guest: false, reason, version: '' }
    await applyReports(
      tx,
      owners
        .filter(({ vmm_id, instance }) => instance.vmm_id === vmm_id && instance.time_deleted === null)
        .map(({ instance, silo_id }) => ({
          instance,
          silo_id,
          report: instance.run_state === 'stopping' ? { ...report, state: 'stopped' as const } : report,
        })),
    )
  })
  cx.services.wake.restarts()
}

const lostReason = (now: Date): FailureReason => ({
  code: 'machine_lost',
  message: 'Its machine is gone from the sled.',
  next_step: 'Start the instance again. Its disks are kept.',
  details: null,
  time: now.toISOString(),
})
