import { z } from 'zod'
import { type Change, change, fleetScope } from '../../change/change.ts'
import { defineJob } from '../../change/define-job.ts'
import { collectLater } from './collect.ts'
import { indexPrefix, manifestName } from './format/layout.ts'
import { openTarget, refuseForeign } from './opened.ts'
import { type Backup, backupCx } from './work.ts'

const Args = z.object({ backup_id: z.string(), backup_target_id: z.string(), manifest: z.string() })
type Removal = z.infer<typeof Args>

export const removalOf = (backup: Backup): Removal => ({
  backup_id: backup.id,
  backup_target_id: backup.backup_target_id,
  manifest: manifestName(backup),
})

/** Removes what a target holds of a deleted backup alone: its manifest first, so that none is listed in part. */
export const instanceBackupRemoval = defineJob(
  'instance-backup-removal',
  Args,
  async (cx, { backup_id, backup_target_id, manifest }) => {
    const { db, ending } = cx.services
    const known = await db
      .selectFrom('backup_target')
      .select('id')
      .where('id', '=', backup_target_id)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    // What a forgotten target holds stays there.
    if (!known) return
    const target = await openTarget(cx.services, backup_target_id, ending)
    await refuseForeign(target)
    const { store } = target
    await store.remove(manifest)
    for (;;) {
      const names = await store.list(indexPrefix(backup_id), undefined)
      for (const name of names) await store.remove(name)
      if (names.length === 0) break
    }
    await change(backupCx(cx), fleetScope, (tx) => collectLater(tx, backup_target_id))
  },
  { maxAttempts: 30, isLong: true },
)

export const removeObjectsLater = (tx: Change, removal: Removal): Promise<string> =>
  tx.job(instanceBackupRemoval, removal)
