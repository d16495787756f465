import type { FailureReason } from '@gantry/api/extensions'
import type { Change } from '@gantry/control-plane/change/change'
import type { Alongside } from '@gantry/control-plane/context/cx'
import type { Reader } from '@gantry/control-plane/db/database'
import type { Row } from '@gantry/control-plane/db/tables'
import { removeContentLater } from '../../storage/content-removal.ts'

export type Restore = Row<'instance_backup_restore'>

export const findRestore = (db: Reader, id: string): Promise<Restore | undefined> =>
  db.selectFrom('instance_backup_restore').selectAll().where('id', '=', id).executeTakeFirst()

/** The restore if it is still in progress, locked. */
export const lockRunning = ({ plain }: Alongside, id: string): Promise<Restore | undefined> =>
  plain
    .selectFrom('instance_backup_restore')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()

/** Ends it; the bytes that it fetched go, unless what it restored shares them. */
export async function end(tx: Change, { id, disks }: Restore, failure: FailureReason | null): Promise<void> {
  const state = failure ? 'failed' : 'done'
  await tx.plain
    .updateTable('instance_backup_restore')
    .set({ state, failure: failure && JSON.stringify(failure), time_ended: tx.cx.now() })
    .where('id', '=', id)
    .execute()
  tx.note('instance-backup-restore', id, undefined, { state })
  for (const { content_id } of disks) await removeContentLater(tx, content_id)
}
