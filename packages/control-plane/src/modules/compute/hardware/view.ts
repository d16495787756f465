import type { InstanceHardware } from '@gantry/api/compute/instance-hardware'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Row } from '@gantry/control-plane/db/tables'
import { disksInSlots } from '@gantry/control-plane/fleet/disk-slots'
import { sees } from '@gantry/control-plane/lookup/location'
import { hardwareOfInstance } from '../machines/firmware.ts'
import { cdsOf } from './cds.ts'

/** What the next machine of an instance has, and what it boots from. */
export async function hardwareView(cx: Cx, instance: Row<'instance'>): Promise<InstanceHardware> {
  const ids = cdsOf(instance).flatMap((id) => id ?? [])
  const images =
    ids.length === 0
      ? []
      : await cx.db
          .selectFrom('image')
          .selectAll()
          .where('id', 'in', ids)
          .where('time_deleted', 'is', null)
          .execute()
  const disks = await cx.db
    .selectFrom('disk')
    .select(['id', 'name', 'slot'])
    .where('instance_id', '=', instance.id)
    .where('time_deleted', 'is', null)
    .execute()
  const boot = disksInSlots(
    disks.map((disk) => ({ ...disk, slot: disk.slot ?? 0 })),
    instance.boot_disk_id,
  ).find(({ is_boot }) => is_boot)
  const { firmware, secure_boot, tpm, disk_model, network_model, clock } = await hardwareOfInstance(
    cx.db,
    instance,
  )
  return {
    firmware,
    secure_boot,
    tpm,
    disk_model,
    network_model,
    clock,
    chosen: instance.hardware ?? {},
    cds: cdsOf(instance).map((image_id) => {
      const image = images.find(({ id }) => id === image_id)
      if (image_id === null || !image) return null
      return { image_id, name: sees(cx, 'image', image) ? image.name : null, kind: image.cd }
    }),
    boot_disk: boot ? { id: boot.id, name: boot.name } : null,
  }
}
