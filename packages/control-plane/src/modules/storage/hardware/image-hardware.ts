import {
  type BootRecord,
  firmwareFor,
  type Hardware,
  hardwareProblem,
  usualHardware,
} from '@gantry/api/storage/hardware.rules'
import { readBootRecord } from '@gantry/api/storage/boot-record.rules'
import { type CdKind, readCdKind } from '@gantry/api/storage/cd.rules'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import type { Services } from '@gantry/control-plane/context/services'
import type { Row } from '@gantry/control-plane/db/tables'
import { need } from '@gantry/control-plane/lookup/need'
import type { Input } from '@gantry/control-plane/pipeline/implement'

/** What a disk gets that is made of an image. */
export const hardwareOf = ({
  hardware,
  boot_record,
}: Pick<Row<'image'>, 'hardware' | 'boot_record'>): Hardware =>
  hardware
    ? { ...usualHardware, ...hardware }
    : { ...usualHardware, firmware: firmwareFor(boot_record ?? 'none') }

export const bootRecordOf = async (
  { blocks }: Pick<Services, 'blocks'>,
  { content_id, size }: { content_id: string; size: number },
): Promise<BootRecord> =>
  readBootRecord({ size, read: (offset, length) => blocks.read(content_id, offset, length) })

/** How the bytes of a new image say that it boots. */
export async function bootFactsOf(
  { blocks }: Pick<Services, 'blocks'>,
  { content_id, size }: { content_id: string; size: number },
): Promise<{ boot_record: BootRecord; cd: CdKind }> {
  const file = {
    size,
    read: (offset: number, length: number) => blocks.read(content_id, offset, length),
  }
  return { boot_record: await readBootRecord(file), cd: await readCdKind(file) }
}

/** Disks that exist keep what they were made with. */
export async function updateImageHardware(
  cx: Cx,
  { path, query, body }: Input<'imageHardwareUpdate'>,
): Promise<Row<'image'>> {
  const found = await need(cx, 'image', { ...path, ...query }, 'modify')
  return change(cx, found.scope, async (tx) => {
    const image = await tx.lock('image', found.row)
    const was = hardwareOf(image)
    const hardware: Hardware = {
      firmware: body.firmware ?? was.firmware,
      secure_boot: body.secure_boot ?? was.secure_boot,
      tpm: body.tpm ?? was.tpm,
      disk_model: body.disk_model ?? was.disk_model,
      network_model: body.network_model ?? was.network_model,
      clock: body.clock ?? was.clock,
    }
    const problem = hardwareProblem(hardware)
    if (problem !== undefined) throw invalid(`${problem}.`, 'Choose UEFI, or make `secure_boot` false.')
    return tx.update('image', image, { hardware: JSON.stringify(hardware) })
  })
}
