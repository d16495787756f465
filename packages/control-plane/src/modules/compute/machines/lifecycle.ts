import { sql } from 'kysely'
import type { FailureReason } from '@gantry/api/extensions'
import type { RunState } from '@gantry/api/compute/instance.rules'
import type { MachineReport } from '@gantry/control-plane/fleet/fleet'
import type { Patch, Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import { reasonOf, unexpected } from '@gantry/control-plane/work/jobs'
import { release } from '../../silo/quota.ts'
import { useSled } from './reserve.ts'

type Instance = Row<'instance'>

/** Changes an instance's state; durations are measured from the time of the last change. */
export const moveTo = (
  tx: Change,
  instance: Instance,
  run_state: RunState,
  more: Patch<'instance'> = {},
): Promise<Instance> =>
  tx.update('instance', instance, moved(instance, run_state, tx.cx.now(), more), { touch: false })

const moved = (
  instance: Instance,
  run_state: RunState,
  now: Date,
  more: Patch<'instance'> = {},
): Patch<'instance'> => ({
  ...more,
  ...(instance.run_state === run_state ? {} : { run_state, time_run_state_updated: now }),
})

/** An instance, locked by the change, with the silo that its quota belongs to. */
export interface Owned {
  instance: Instance
  silo_id: string
}

/**
 * Releases the VM's reservation: frees the sled's capacity and the quota, and marks the machine to be destroyed
 * by the fleet.
 */
export const releaseVmm = (tx: Change, instance: Instance, silo_id: string): Promise<void> =>
  releaseVmms(tx, [{ instance, silo_id }])

/** Locks sleds and then quotas, both in the order of their ids, so that two changes never deadlock. */
async function releaseVmms(tx: Change, owned: readonly Owned[]): Promise<void> {
  const owners = new Map<string, Owned>()
  for (const one of owned) if (one.instance.vmm_id) owners.set(one.instance.vmm_id, one)
  if (owners.size === 0) return
  const { rows: ended } = await sql<
    Row<'vmm'>
  >`UPDATE vmm SET time_gone = ${tx.cx.now()}, revision = revision + 1
    WHERE id = ANY (${[...owners.keys()]}::uuid[]) AND time_gone IS NULL RETURNING *`.execute(tx.plain)
  if (ended.length === 0) return
  for (const [sledId, vmms] of inOrder(ended, ({ sled_id }) => sled_id))
    await useSled(tx, sledId, totalOf(vmms), -1)
  const paidBy = ({ id }: Row<'vmm'>): string => {
    const owner = owners.get(id)
    return `${owner?.silo_id} ${owner?.instance.project_id}`
  }
  for (const [payer, vmms] of inOrder(ended, paidBy)) {
    const [silo_id = '', project_id = ''] = payer.split(' ')
    tx.at({ silo_id, project_id })
    const { ncpus, memory } = totalOf(vmms)
    await release(tx, { silo_id, project_id }, { cpus: ncpus, memory })
  }
}

const totalOf = (vmms: readonly Row<'vmm'>[]) => ({
  ncpus: vmms.reduce((sum, { ncpus }) => sum + ncpus, 0),
  memory: vmms.reduce((sum, { memory }) => sum + memory, 0),
})

/** Items by their key, in the order of the keys. */
function inOrder<Item>(items: readonly Item[], keyOf: (item: Item) => string): [string, Item[]][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** The instances that VMs run, locked; those that another transaction holds locked are left for the next round. */
export async function lockOwners(
  tx: Change,
  vmmIds: readonly string[],
): Promise<{ vmm_id: string; instance: Row<'instance'>; silo_id: string }[]> {
  const rows = await tx.read
    .selectFrom('vmm')
    .innerJoin('instance', 'instance.id', 'vmm.instance_id')
    .innerJoin('project', 'project.id', 'instance.project_id')
    .selectAll('instance')
    .select(['vmm.id as of_vmm', 'project.silo_id'])
    .where(sql<boolean>`vmm.id = ANY (${vmmIds}::uuid[])`)
    .where('vmm.time_gone', 'is', null)
    .forUpdate('instance')
    .skipLocked()
    .execute()
  return rows.map(({ of_vmm, silo_id, ...instance }) => ({ vmm_id: of_vmm, silo_id, instance }))
}

export interface Reported extends Owned {
  report: MachineReport
}

/** Applies the fleet's reports to the records of instances: equal changes in one statement. */
export async function applyReports(tx: Change, reported: readonly Reported[]): Promise<void> {
  const now = tx.cx.now()
  await releaseVmms(
    tx,
    reported.filter(({ report }) => hasEnded(report)),
  )
  const alike = inOrder(reported, ({ instance, silo_id, report }) =>
    JSON.stringify([silo_id, instance.project_id, instance.failure === null, patchOf(instance, report, now)]),
  )
  for (const [, group] of alike) {
    const [first] = group
    const patch = first && patchOf(first.instance, first.report, now)
    // Another process has just recorded these reports.
    if (!patch || isApplied(patch, first.instance)) continue
    tx.at({ silo_id: first.silo_id, project_id: first.instance.project_id })
    await tx.updateAll(
      'instance',
      group.map(({ instance }) => instance),
      patch,
      { touch: false },
    )
  }
}

export const hasEnded = ({ state }: MachineReport): boolean => state === 'stopped' || state === 'failed'

const isApplied = (patch: Patch<'instance'>, instance: Instance): boolean =>
  Object.entries(patch).every(([column, value]) => instance[column as keyof Instance] === value)

/** A report's change of an instance, if any. */
function patchOf(instance: Instance, report: MachineReport, now: Date): Patch<'instance'> | undefined {
  const to = (run_state: RunState, more?: Patch<'instance'>) => moved(instance, run_state, now, more)
  switch (report.state) {
    case 'starting':
      return undefined
    case 'running':
      return to('running', { failure: report.reason && JSON.stringify(report.reason) })
    case 'rebooting':
    case 'migrating':
      return to(report.state)
    case 'stopping':
      return to('stopping', ofGuest(report))
    case 'stopped':
      // The stopping state may have gone unnoticed.
      return to('stopped', { vmm_id: null, failure: null, is_interrupted: false, ...ofGuest(report) })
    case 'failed': {
      const reason = report.reason ?? reasonOf(unexpected('The machine ended for an unknown reason.'), now)
      return to('failed', {
        vmm_id: null,
        failure: JSON.stringify(reason),
        is_interrupted: report.by_host === true,
      })
    }
    default:
      return report.state satisfies never
  }
}

/** A guest that shuts itself down does so on purpose, so it is not restarted automatically. */
const ofGuest = ({ by_guest }: MachineReport): Patch<'instance'> =>
  by_guest ? { intended_state: 'guest_shutdown' } : {}

export async function fail(
  tx: Change,
  instance: Instance,
  siloId: string,
  reason: FailureReason,
): Promise<Instance> {
  await releaseVmm(tx, instance, siloId)
  return moveTo(tx, instance, 'failed', { vmm_id: null, failure: JSON.stringify(reason) })
}
