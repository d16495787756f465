import { type Hardware, usualHardware } from '@gantry/api/storage/hardware.rules'
import { z } from 'zod'
import { type Change, change, fleetScope, type Scope } from '@gantry/control-plane/change/change'
import { defineJob } from '@gantry/control-plane/change/define-job'
import { systemCx } from '@gantry/control-plane/context/cx'
import type { Services } from '@gantry/control-plane/context/services'
import type { Reader } from '@gantry/control-plane/db/database'
import { lackRefusal, lacks } from '@gantry/control-plane/fleet/capabilities'
import type { Row } from '@gantry/control-plane/db/tables'
import type { MachineHardware } from '@gantry/control-plane/fleet/fleet'
import { given } from '../hardware/choice.ts'

type Chosen = Pick<Row<'instance'>, 'boot_disk_id' | 'hardware'>

/** What the machines of an instance have: what was selected for it, and otherwise what its boot disk says. */
export async function hardwareOfInstance(db: Reader, { boot_disk_id, hardware }: Chosen): Promise<Hardware> {
  const disk =
    boot_disk_id === null
      ? undefined
      : await db.selectFrom('disk').select('hardware').where('id', '=', boot_disk_id).executeTakeFirst()
  const all = { ...usualHardware, ...disk?.hardware, ...given(hardware) }
  // That of a disk that was made for UEFI, where a BIOS was selected.
  return { ...all, secure_boot: all.secure_boot && all.firmware === 'uefi' }
}

/** Refuses to start what this fleet has no firmware for. A fleet that has it all is asked nothing. */
export async function refuseWithoutFirmware(tx: Change, instance: Chosen): Promise<void> {
  const { fleet } = tx.cx.services
  if (!(['uefi', 'secure_boot', 'tpm'] as const).some((capability) => lacks(fleet, capability))) return
  const { firmware, secure_boot, tpm } = await hardwareOfInstance(tx.read, instance)
  if (tpm && lacks(fleet, 'tpm')) throw lackRefusal('tpm')
  if (firmware !== 'uefi') return
  const lacking = secure_boot ? 'secure_boot' : 'uefi'
  if (lacks(fleet, lacking)) throw lackRefusal(lacking)
}

/** What the next machine of an instance has; what firmware and TPM keep is kept from the first start on. */
export async function machineHardware(
  services: Services,
  scope: Scope,
  instance: Chosen & { id: string },
): Promise<MachineHardware> {
  const hardware = await hardwareOfInstance(services.db, instance)
  const { firmware, tpm } = hardware
  if (firmware === 'bios' && !tpm) return { ...hardware, variables_id: null, tpm_id: null }
  const kept = await change(systemCx(services, 'job:vm-start'), scope, async (tx) => {
    await tx.plain
      .insertInto('instance_firmware')
      .values({ instance_id: instance.id, variables_id: tx.cx.newId(), tpm_id: tx.cx.newId() })
      .onConflict((conflict) => conflict.column('instance_id').doNothing())
      .execute()
    return tx.read
      .selectFrom('instance_firmware')
      .select(['variables_id', 'tpm_id'])
      .where('instance_id', '=', instance.id)
      .executeTakeFirstOrThrow()
  })
  return {
    ...hardware,
    variables_id: firmware === 'uefi' ? kept.variables_id : null,
    tpm_id: tpm ? kept.tpm_id : null,
  }
}

/** What removes what firmware and TPM keep of a deleted instance, if it has any. */
export async function firmwareRemovalOf(tx: Change, instance_id: string) {
  const kept = await tx.read
    .selectFrom('instance_firmware')
    .select('variables_id')
    .where('instance_id', '=', instance_id)
    .executeTakeFirst()
  return kept && { removal: { job: firmwareRemoval, args: { instance_id } } }
}

export const firmwareRemoval = defineJob(
  'instance-firmware-removal',
  z.object({ instance_id: z.string() }),
  async ({ services }, { instance_id }) => {
    const kept = await services.db
      .selectFrom('instance_firmware')
      .select(['variables_id', 'tpm_id'])
      .where('instance_id', '=', instance_id)
      .executeTakeFirst()
    if (!kept) return
    // First the bytes: without its row nothing would find them.
    for (const id of [kept.variables_id, kept.tpm_id]) await services.fleet.volumes.remove(id)
    await change(systemCx(services, 'job:instance-firmware-removal'), fleetScope, async (tx) => {
      await tx.plain.deleteFrom('instance_firmware').where('instance_id', '=', instance_id).execute()
    })
  },
  { maxAttempts: 30 },
)
