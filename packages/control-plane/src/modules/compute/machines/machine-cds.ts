import { cdBoots, cdDrives } from '@gantry/api/storage/cd.rules'
import type { Reader } from '@gantry/control-plane/db/database'
import type { Row } from '@gantry/control-plane/db/tables'
import type { MachineCd } from '@gantry/control-plane/fleet/fleet'
import { hardwareOfInstance } from './firmware.ts'

/** What a machine of the instance finds in its CD drives, in their order. */
export async function machineCds(
  db: Reader,
  instance: Pick<Row<'instance'>, 'cds' | 'boot_disk_id' | 'hardware' | 'id'>,
): Promise<(MachineCd | null)[]> {
  const ids = (instance.cds ?? []).flatMap((id) => id ?? [])
  if (ids.length === 0) return Array.from({ length: cdDrives }, () => null)
  const images = await db
    .selectFrom('image')
    .select(['id', 'name', 'content_id', 'size', 'cd'])
    .where('id', 'in', ids)
    .where('time_deleted', 'is', null)
    .execute()
  const { firmware } = await hardwareOfInstance(db, instance)
  return Array.from({ length: cdDrives }, (_, drive) => {
    const image = images.find(({ id }) => id === instance.cds?.[drive])
    if (!image) return null
    const { name, content_id, size, cd } = image
    return { name, content_id, size, boots: cdBoots(cd, firmware) }
  })
}
