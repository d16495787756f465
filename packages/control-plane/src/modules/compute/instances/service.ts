import type { InstanceUpdate } from '@gantry/api/compute/instance'
import { instanceAllows } from '@gantry/api/compute/instance.rules'
import { isUuid } from '@gantry/api/base/name.rules'
import { allows } from '@gantry/api/base/state.rules'
import type { Row } from '@gantry/control-plane/db/tables'
import { liveRows } from '@gantry/control-plane/change/children'
import { type Change, change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { needCapability } from '@gantry/control-plane/fleet/capabilities'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { conflict, invalid } from '@gantry/control-plane/context/refusal'
import { firmwareRemovalOf } from '../machines/firmware.ts'
import { leaveAllGroups } from '../../affinity/members.ts'
import type { InstanceParts } from '../../recycle-bin/parts.ts'
import { recycle } from '../../recycle-bin/recycle.ts'
import { endFaultsOf } from '../../extensions/faults.ts'
import { detachSubnetsOf } from '../../external-subnets/service.ts'
import { leaveAllMulticast, needMulticast, setGroups } from '../../multicast/members.ts'
import { releaseExternalIps } from '../../network/addresses/external-ips.ts'
import { deleteInterfaces } from '../../network/records/interfaces.ts'
import { needJumboFrames } from '../../system-network/networking-settings.ts'
import { stillPending } from '../pending/pending.ts'
import { refuseHardware } from './create.ts'

type Instance = Row<'instance'>

/**
 * Replaces six settings at once: absent ones are unset, but for those that older clients do not know. The name and
 * `time_modified` never change.
 */
export async function updateInstance(cx: Cx, at: Selectors, body: InstanceUpdate): Promise<Instance> {
  const found = await need(cx, 'instance', at, 'modify')
  refuseHardware(body.ncpus, body.memory)
  if (body.cpu_platform) needCapability(cx.services.fleet, 'cpu_platforms')
  const { multicast_groups: groups } = body
  if (groups && groups.length > 0) needMulticast(cx)
  const bootDisk = body.boot_disk ? await bootDiskId(cx, found.row, body.boot_disk) : null
  return change(cx, found.scope, async (tx) => {
    const instance = await tx.lock('instance', found.row)
    const resized = instance.ncpus !== body.ncpus || instance.memory !== body.memory
    if (resized && !allows(instanceAllows, 'resize', instance.run_state))
      throw conflict('instance must be stopped to be resized', 'Stop the instance first.')
    // Clients from before there were platforms keep it.
    const cpu_platform = body.cpu_platform === undefined ? instance.cpu_platform : body.cpu_platform
    if (cpu_platform !== instance.cpu_platform && !allows(instanceAllows, 'resize', instance.run_state))
      throw conflict('instance must be stopped to change its CPU platform', 'Stop the instance first.')
    const enable_jumbo_frames = body.enable_jumbo_frames ?? instance.enable_jumbo_frames
    if (enable_jumbo_frames && !instance.enable_jumbo_frames) await needJumboFrames(cx, tx.read)
    if (bootDisk !== instance.boot_disk_id) await refuseBootDisk(tx, instance, bootDisk)
    if (groups) await setGroups(tx, instance, found.scope.silo_id ?? '', groups)
    const { boot_disk: boot_disk_id, ...columns } = {
      ncpus: body.ncpus,
      memory: body.memory,
      boot_disk: bootDisk,
      auto_restart_policy: body.auto_restart_policy ?? null,
      cpu_platform,
      enable_jumbo_frames,
    } satisfies Record<Exclude<keyof InstanceUpdate, 'multicast_groups'>, unknown>
    const next = { ...columns, boot_disk_id }
    return tx.update('instance', instance, { ...next, ...stillPending(instance, next) }, { touch: false })
  })
}

async function bootDiskId(cx: Cx, instance: Instance, selector: string): Promise<string> {
  const at = isUuid(selector) ? { disk: selector } : { disk: selector, project: instance.project_id }
  return (await need(cx, 'disk', at, 'modify')).row.id
}

async function refuseBootDisk(tx: Change, instance: Instance, diskId: string | null): Promise<void> {
  if (!allows(instanceAllows, 'updateBootDisk', instance.run_state))
    throw conflict('instance must be stopped to set boot disk', 'Stop the instance first.')
  if (diskId === null) return
  const disk = await tx.lockById('disk', diskId)
  if (disk.instance_id !== instance.id) throw conflict('boot disk must be attached', 'Attach the disk first.')
}

/**
 * Disks, floating addresses and external subnets are detached, never deleted; everything that belongs only to the instance is
 * deleted with it.
 */
export async function deleteInstance(cx: Cx, at: Selectors): Promise<void> {
  const found = await need(cx, 'instance', at, 'modify')
  await change(cx, found.scope, async (tx) => {
    const instance = await tx.lockToDelete('instance', found.row)
    if (instance.run_state === 'creating')
      throw invalid('instance cannot be deleted in state "creating"', 'Wait until it is created.')
    if (!allows(instanceAllows, 'delete', instance.run_state))
      throw invalid(
        'cannot delete instance: instance is running or has not yet fully stopped',
        'Stop it first.',
      )
    await deleteInterfaces(tx, instance.id)
    const floating_ips = await releaseExternalIps(tx, instance.id)
    const external_subnets = await detachSubnetsOf(tx, instance.id)
    await leaveAllMulticast(tx, instance)
    const disks = await detachAll(tx, instance.id)
    const groups = await leaveAllGroups(tx, instance.id)
    await endFaultsOf(tx, { instance_id: instance.id })
    const keys = await tx.plain
      .deleteFrom('instance_ssh_key')
      .where('instance_id', '=', instance.id)
      .returning('ssh_key_id')
      .execute()
    await tx.plain.deleteFrom('last_output').where('instance_id', '=', instance.id).execute()
    await tx.remove('instance', instance)
    const ssh_keys = keys.map(({ ssh_key_id }) => ssh_key_id)
    await recycle(tx, {
      kind: 'instance',
      row: instance,
      silo_id: found.scope.silo_id,
      project_id: instance.project_id,
      kept: { floating_ips, external_subnets, disks, groups, ssh_keys } satisfies InstanceParts,
      ...(await firmwareRemovalOf(tx, instance.id)),
    })
  })
}

/** Returns their ids in the order of their slots. */
async function detachAll(tx: Change, instanceId: string): Promise<string[]> {
  const disks = await liveRows(tx, 'disk', 'instance_id', instanceId)
  for (const disk of disks)
    await tx.update('disk', disk, { state: 'detached', instance_id: null, slot: null })
  return disks.toSorted((one, other) => (one.slot ?? 0) - (other.slot ?? 0)).map(({ id }) => id)
}
