import { diskAllows } from '@gantry/api/storage/disk.rules'
import { instanceAllows, instanceLimits } from '@gantry/api/compute/instance.rules'
import { isUuid } from '@gantry/api/base/name.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { nextSlot } from '@gantry/control-plane/fleet/disk-slots'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { conflict, invalid } from '@gantry/control-plane/context/refusal'

const stopFirst = 'Stop the instance first.'

/** Attaches a disk to an instance, under the rules that creation and attach share. Requires locks on both. */
export async function attachDisk(
  tx: Change,
  instance: Row<'instance'>,
  disk: Row<'disk'>,
  state: 'attached' | 'attaching' = 'attached',
): Promise<Row<'disk'>> {
  // Named twice in one creation; a separate attach has returned before this.
  if (disk.instance_id === instance.id) return disk
  if (disk.instance_id !== null)
    throw invalid(
      `cannot attach disk "${disk.name}": disk is attached to another instance`,
      'Detach it there first.',
    )
  if (!allows(diskAllows, 'attach', disk.state))
    throw invalid(`cannot attach disk "${disk.name}": invalid state ${disk.state}`, 'Choose a detached disk.')
  const held = await slotsOf(tx, instance.id)
  if (held.length >= instanceLimits.disks)
    throw invalid(`cannot attach more than ${instanceLimits.disks} disks to instance`, 'Detach one first.')
  return tx.update('disk', disk, { state, instance_id: instance.id, slot: nextSlot(held), failure: null })
}

/** The slots of an instance's disks. A lock on the instance keeps them. */
async function slotsOf(tx: Change, instanceId: string): Promise<number[]> {
  const disks = await tx.read
    .selectFrom('disk')
    .select('slot')
    .where('instance_id', '=', instanceId)
    .where('time_deleted', 'is', null)
    .execute()
  return disks.flatMap(({ slot }) => slot ?? [])
}

/** A disk named in the body is looked up in the instance's project. */
export async function both(cx: Cx, at: Selectors, selector: string) {
  const instance = await need(cx, 'instance', at, 'modify')
  const diskAt = isUuid(selector) ? { disk: selector } : { disk: selector, project: instance.row.project_id }
  const disk = await need(cx, 'disk', diskAt, 'modify')
  if (disk.row.project_id !== instance.row.project_id)
    throw invalid('disk must be in the same project as the instance')
  return { instance: instance.row, disk: disk.row, scope: instance.scope }
}

export async function attachDiskToInstance(cx: Cx, at: Selectors, selector: string): Promise<Row<'disk'>> {
  const { scope, ...found } = await both(cx, at, selector)
  return change(cx, scope, async (tx) => {
    const instance = await tx.lock('instance', found.instance)
    const disk = await tx.lock('disk', found.disk)
    return attachToStopped(tx, instance, disk)
  })
}

export async function attachToStopped(
  tx: Change,
  instance: Row<'instance'>,
  disk: Row<'disk'>,
): Promise<Row<'disk'>> {
  if (disk.instance_id === instance.id) return disk
  if (instance.run_state === 'failed')
    throw invalid(
      'cannot attach disk to instance in failed state',
      'Stop the instance, then attach the disk.',
    )
  if (!allows(instanceAllows, 'attachDisk', instance.run_state))
    throw invalid('cannot attach disk: instance is not fully stopped', stopFirst)
  return attachDisk(tx, instance, disk)
}

export async function detachDiskFromInstance(cx: Cx, at: Selectors, selector: string): Promise<Row<'disk'>> {
  const { scope, ...found } = await both(cx, at, selector)
  return change(cx, scope, async (tx) => {
    const instance = await tx.lock('instance', found.instance)
    const disk = await tx.lock('disk', found.disk)
    return detachFromStopped(tx, instance, disk)
  })
}

/** The disk as it is if it is detached already; throws unless it is of this instance. */
export function detachedAlready(instance: Row<'instance'>, disk: Row<'disk'>): Row<'disk'> | undefined {
  if (disk.state === 'detached') return disk
  if (disk.instance_id === null)
    throw invalid(
      `cannot detach disk "${disk.name}": invalid state ${disk.state}`,
      'Choose an attached disk.',
    )
  if (disk.instance_id !== instance.id)
    throw invalid(`cannot detach disk "${disk.name}": disk is attached to another instance`)
  return undefined
}

export async function detachFromStopped(
  tx: Change,
  instance: Row<'instance'>,
  disk: Row<'disk'>,
): Promise<Row<'disk'>> {
  const already = detachedAlready(instance, disk)
  if (already) return already
  if (instance.boot_disk_id === disk.id) {
    const unset = 'Unset it as boot disk first.'
    if (instance.run_state === 'failed')
      throw invalid('cannot detach disk from instance in failed state', unset)
    throw conflict('boot disk cannot be detached', unset)
  }
  if (!allows(instanceAllows, 'detachDisk', instance.run_state))
    throw invalid('cannot detach disk: instance is not fully stopped', stopFirst)
  return tx.update('disk', disk, detached)
}

export const detached = { state: 'detached', instance_id: null, slot: null, failure: null } as const
