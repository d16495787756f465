import type { BackupRestore, BackupRestoreCreate } from '@gantry/api/backups/instance-backup'
import { instanceBackupAllows } from '@gantry/api/backups/instance-backup.rules'
import { allows } from '@gantry/api/base/state.rules'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { alreadyExists, invalid, Refusal } from '@gantry/control-plane/context/refusal'
import { need } from '@gantry/control-plane/lookup/need'
import type { Input } from '@gantry/control-plane/pipeline/implement'
import { refuseUnlessStopped } from '../../instance-snapshots/restore/begin.ts'
import { refuseOverQuota } from '../../silo/quota.ts'
import type { Backup } from '../work.ts'
import { instanceBackupRestore } from './job.ts'

/** Begins the task. Nothing of the project changes before all bytes are there. */
export async function beginBackupRestore(
  cx: Cx,
  { path, query, body }: Input<'instanceBackupRestore'>,
): Promise<BackupRestore> {
  const { row: found, scope } = await need(cx, 'instance_backup', { ...path, ...query }, 'read')
  const { row: project } = await need(cx, 'project', { project: found.project_id }, 'create_child')
  if (!allows(instanceBackupAllows, 'restore', found.state))
    throw invalid(
      `the backup cannot be restored in state ${found.state}`,
      found.state === 'faulted' ? 'Choose another backup.' : 'Wait until its work is done.',
    )
  await refuseUnrestorable(cx, found, body)
  const { user_id, credential } = cx.user()
  const { id: requestId, uri, address, user_agent } = cx.request
  const disks = found.disks.filter((disk) => body.type !== 'disk' || disk.disk_id === body.disk_id)
  if (body.type !== 'in_place') {
    const storage = disks.reduce((sum, { size }) => sum + size, 0)
    await refuseOverQuota(cx.db, project.silo_id, { storage })
  }
  return change(cx, scope, async (tx) => {
    await tx.hold('project', project.id)
    await tx.hold('instance_backup', found.id)
    const begun = await tx.plain
      .insertInto('instance_backup_restore')
      .values({
        id: cx.newId(),
        instance_backup_id: found.id,
        backup_name: found.name,
        silo_id: project.silo_id,
        project_id: project.id,
        silo_user_id: user_id,
        request: JSON.stringify({ id: requestId, uri, address, user_agent, credential }),
        state: 'running',
        wanted: JSON.stringify(body),
        disks: JSON.stringify(
          disks.map(({ disk_id, size }) => ({
            disk_id,
            size,
            snapshot_id: cx.newId(),
            content_id: cx.newId(),
          })),
        ),
        instance_snapshot_id: cx.newId(),
        time_created: cx.now(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await tx.job(instanceBackupRestore, { restore_id: begun.id })
    tx.note('instance-backup-restore', begun.id, undefined, { state: begun.state })
    return { id: begun.id, instance_backup_id: found.id }
  })
}

/** Refuses before anything is fetched what would fail at the end. */
async function refuseUnrestorable(cx: Cx, backup: Backup, body: BackupRestoreCreate): Promise<void> {
  if (body.type === 'in_place') {
    refuseUnlessStopped(await needBackedUp(cx, backup))
    return
  }
  if (body.type === 'disk' && !backup.disks.some(({ disk_id }) => disk_id === body.disk_id))
    throw invalid('the backup has no disk with this id', 'Choose one of its disks.')
  const table = body.type === 'disk' ? 'disk' : 'instance'
  const taken = await cx.db
    .selectFrom(table)
    .select('id')
    .where('project_id', '=', backup.project_id)
    .where('name', '=', body.name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (taken) throw alreadyExists(table, body.name)
}

/** The instance that was backed up, if it is still in the project. */
export async function needBackedUp(cx: Cx, { instance_id, instance_name, project_id }: Backup) {
  try {
    const { row } = await need(cx, 'instance', { instance: instance_id }, 'modify')
    if (row.project_id === project_id) return row
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'ObjectNotFound')) throw error
  }
  throw invalid(`instance ${instance_name} is not in this project`, 'Restore it as a new instance.')
}
