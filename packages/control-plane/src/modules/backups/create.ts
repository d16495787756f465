import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import type { InstanceBackupCreate } from '@gantry/api/backups/instance-backup'
import { noBackupTarget } from '@gantry/api/backups/backup-place.rules'
import { hasMachine } from '@gantry/api/system/fleet.rules'
import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import { disksInSlots } from '../../fleet/disk-slots.ts'
import { addressOf, need, type Selectors } from '../../lookup/need.ts'
import { settingsOf } from '../instance-snapshots/settings.ts'
import { disksToCopy, refuseUncopied } from '../instance-snapshots/take.ts'
import { instanceBackupCopy } from './back-up.ts'
import type { Backup } from './work.ts'

/** Begins a backup. Its disks are copied at one point in time, and then sent while the instance runs. */
export async function createBackup(
  cx: Cx,
  at: Selectors,
  { instance: selector, name, description, backup_target }: InstanceBackupCreate,
  /** Where it is known before the backup exists. */
  id = cx.newId(),
): Promise<Backup> {
  const { row: project, scope } = await need(cx, 'project', at, 'create_child')
  const instanceAt = isUuid(selector) ? { instance: selector } : { instance: selector, project: project.id }
  const { row } = await need(cx, 'instance', instanceAt, 'read')
  if (row.project_id !== project.id)
    throw invalid("can't create a backup of an instance in a different project")
  const target = await placeFor(cx, backup_target ?? undefined)
  await refuseUncopied(cx, row.id)
  return change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    const instance = await tx.lock('instance', row)
    await tx.hold('backup_target', target.id)
    const disks = await disksToCopy(tx, instance)
    const placed = disksInSlots(
      disks.map((disk) => ({ ...disk, slot: disk.slot ?? 0 })),
      instance.boot_disk_id,
    )
    const backup = await tx.insert('instance_backup', {
      id,
      name,
      description,
      project_id: project.id,
      instance_id: instance.id,
      instance_name: instance.name,
      backup_target_id: target.id,
      state: 'creating',
      consistency: null,
      size: disks.reduce((sum, { size }) => sum + size, 0),
      stored: null,
      time_taken: cx.now(),
      time_verified: null,
      disks: JSON.stringify(
        placed.map((disk) => ({
          disk_id: disk.id,
          name: disk.name,
          description: disk.description,
          size: disk.size,
          block_size: disk.block_size,
          slot: disk.slot,
          is_boot: disk.id === instance.boot_disk_id,
          read_only: disk.read_only,
          hardware: disk.hardware,
        })),
      ),
      settings: JSON.stringify(await settingsOf(tx.read, instance)),
      user_data: instance.user_data,
    })
    const copies = placed.map(({ content_id: from, size }) => ({ from, content_id: cx.newId(), size }))
    await tx.plain
      .insertInto('backup_work')
      .values({
        instance_backup_id: backup.id,
        backup_target_id: target.id,
        copies: JSON.stringify(copies),
      })
      .execute()
    await tx.job(instanceBackupCopy, {
      backup_id: backup.id,
      instance_id: instance.id,
      stopped_since: hasMachine(instance.run_state) ? null : instance.time_run_state_updated.toISOString(),
      copies,
    })
    return backup
  })
}

/** The target of that name or id, or else the default one. Users need no role on the fleet to write there. */
export async function placeFor(
  { db }: Pick<Cx, 'db'>,
  selector: string | undefined,
): Promise<{ id: string }> {
  const target = await db
    .selectFrom('backup_target')
    .select('id')
    .where('time_deleted', 'is', null)
    .$if(selector === undefined, (query) => query.where('is_default', '=', true))
    .$if(selector !== undefined, (query) =>
      isUuid(selector ?? '')
        ? query.where('id', '=', canonicalUuid(selector ?? ''))
        : query.where('name', '=', selector ?? ''),
    )
    .executeTakeFirst()
  if (target) return target
  if (selector !== undefined) throw addressOf('backup-target', selector)
  throw invalid('there is no place for backups', noBackupTarget)
}
