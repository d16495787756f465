import { change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { conflict } from '../../context/refusal.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { removalOf, removeObjectsLater } from './remove.ts'
import { endWork } from './work.ts'

/** One that is being created is cancelled: its job notices, and removes what it has sent. */
export async function deleteBackup(cx: Cx, at: Selectors): Promise<void> {
  const { row, scope } = await need(cx, 'instance_backup', at, 'modify')
  await change(cx, scope, async (tx) => {
    const backup = await tx.lock('instance_backup', row)
    const restore = await tx.plain
      .selectFrom('instance_backup_restore')
      .select('id')
      .where('instance_backup_id', '=', backup.id)
      .where('state', '=', 'running')
      .executeTakeFirst()
    if (restore) throw conflict('the backup is being restored', 'Wait until that is done.')
    await tx.remove('instance_backup', backup)
    if (backup.state === 'creating') return
    await endWork(tx, backup.id)
    await removeObjectsLater(tx, removalOf(backup))
  })
}
