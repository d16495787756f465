import { sql } from 'kysely'
import { change, fleetScope } from '@gantry/control-plane/change/change'
import { systemCx } from '@gantry/control-plane/context/cx'
import type { Services } from '@gantry/control-plane/context/services'
import { eachInTurn, type Reconciler } from '@gantry/control-plane/work/loop'
import type { MachineReport } from '@gantry/control-plane/fleet/fleet'
import { applyReports, hasEnded, lockOwners } from './lifecycle.ts'
import { applyWanted } from './wanted.ts'

/** Maximum of reports that one change records. */
const reportsPerChange = 200
/** Maximum of pending machines read at once. */
const maxPending = 8 * reportsPerChange

/** Sends the wanted states of machines to the fleet, then records their reports, oldest first. */
export const machineReports: Reconciler = {
  name: 'fleet',
  everyMs: 1000,
  async run(services) {
    await applyWanted(services)
    const { ids, nextInMs } = await services.fleet.machines.pending(maxPending)
    if (ids.length === 0) return nextInMs
    try {
      return (await recordReports(services, randomBatch(ids, services.random))) > 0 ? 0 : nextInMs
    } catch (error) {
      services.log.error(
        { err: error, loop: 'fleet' },
        'a batch of reports could not be recorded; they are recorded singly',
      )
      await eachInTurn(services, 'fleet', ids, async (id) => void (await recordReports(services, [id])))
      return nextInMs
    }
  },
}

/** One batch from a random position, so that concurrent processes rarely record the same reports. */
function randomBatch(ids: readonly string[], random: Services['random']): readonly string[] {
  if (ids.length <= reportsPerChange) return ids
  const [high = 0, low = 0] = random(2)
  const from = (high * 256 + low) % ids.length
  return [...ids, ...ids].slice(from, from + reportsPerChange)
}

/**
 * Records the reports of machines that no other process is recording, and returns their number. The fleet is asked
 * first, outside the change: a report is recorded only if its instance has not changed since, and, while the fleet
 * has not accepted the latest wanted state of a machine, only its end is. Other reports may be older than the record.
 */
async function recordReports(services: Services, ids: readonly string[]): Promise<number> {
  const { machines } = services.fleet
  const owners = new Map((await ownersOf(services, ids)).map((owner) => [owner.vmm_id, owner]))
  const orphans = ids.filter((id) => !owners.has(id))
  if (orphans.length > 0) await machines.destroy(orphans)
  const reports = await machines.states([...owners.keys()])
  const recorded = new Map<string, MachineReport>()
  const taken = await change(systemCx(services, 'reconcile:fleet'), fleetScope, async (tx) => {
    recorded.clear()
    const reported = (await lockOwners(tx, [...reports.keys()])).flatMap(({ vmm_id, instance, silo_id }) => {
      const report = reports.get(vmm_id)
      const owner = owners.get(vmm_id)
      if (!report || owner?.generation !== instance.generation) return []
      if (!owner.is_settled && !hasEnded(report)) return []
      recorded.set(vmm_id, report)
      const isCurrent = instance.vmm_id === vmm_id && instance.time_deleted === null
      return isCurrent ? [{ instance, silo_id, report }] : []
    })
    await applyReports(tx, reported)
    return { hasEnded: reported.some(({ report }) => hasEnded(report)), reported }
  })
  await machines.acknowledge(recorded)
  if (taken.hasEnded) await applyWanted(services)
  if (taken.reported.some(({ report }) => report.state === 'failed')) services.wake.restarts()
  return recorded.size + orphans.length
}

/** Machines with a reservation among these, with the generation of their instances. */
const ownersOf = ({ db }: Services, vmmIds: readonly string[]) =>
  db
    .selectFrom('vmm')
    .innerJoin('instance', 'instance.id', 'vmm.instance_id')
    .select(['vmm.id as vmm_id', 'instance.generation'])
    .select(sql<boolean>`applied_revision = revision`.as('is_settled'))
    .where(sql<boolean>`vmm.id = ANY (${vmmIds}::uuid[])`)
    .where('vmm.time_gone', 'is', null)
    .execute()
