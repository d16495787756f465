import type { Patch, Row } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import { chargeLast } from '../../silo/quota.ts'
import { refuseWithoutFirmware } from './firmware.ts'
import { readChoice } from '../hardware/choice.ts'
import { localNeedsOf, placeLocalDisks } from './local-disks.ts'
import { moveTo } from './lifecycle.ts'
import { preferencesOf, reserveSled } from './reserve.ts'
import { vmStart } from './vm-start.ts'

type Instance = Row<'instance'>

/**
 * Starts the VM on a sled that was reserved for it: placement first, quota second (control plane reference, B 17.2).
 * CPUs and memory are charged at the end of the change, which an amount over the quota undoes.
 */
export async function startOn(
  tx: Change,
  instance: Instance,
  { siloId, sledId }: { siloId: string; sledId: string },
  more: Patch<'instance'> = {},
): Promise<Instance> {
  const { ncpus, memory, project_id } = { ...instance, ...more }
  chargeLast(tx, { silo_id: siloId, project_id }, { cpus: ncpus, memory })
  const vmm_id = tx.cx.newId()
  await tx.plain
    .insertInto('vmm')
    .values({
      id: vmm_id,
      instance_id: instance.id,
      sled_id: sledId,
      ncpus,
      memory,
      time_created: tx.cx.now(),
      has_cd_drives: true,
    })
    .execute()
  await tx.job(vmStart, { vmm_id })
  return moveTo(tx, instance, 'starting', { ...more, vmm_id, failure: null, is_interrupted: false })
}

/** Reserves a sled and starts the VM there, with other settings if they are to change. */
export async function start(
  tx: Change,
  instance: Instance,
  siloId: string,
  more: Patch<'instance'> = {},
): Promise<Instance> {
  const { ncpus, memory, cpu_platform, boot_disk_id } = { ...instance, ...more }
  const hardware = readChoice(more.hardware) ?? instance.hardware
  await refuseWithoutFirmware(tx, { boot_disk_id, hardware })
  const size = { ncpus, memory, cpu_platform, local: await localNeedsOf(tx.read, instance.id) }
  const reserved = await reserveSled(tx, size, await preferencesOf(tx, instance.id))
  if ('refusal' in reserved) throw reserved.refusal
  if (size.local) await placeLocalDisks(tx, instance.id, reserved.sledId)
  return startOn(tx, instance, { siloId, sledId: reserved.sledId }, more)
}
