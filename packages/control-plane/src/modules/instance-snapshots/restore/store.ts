import type { FailureReason } from '@gantry/api/extensions'
import type { Change } from '@gantry/control-plane/change/change'
import type { Alongside } from '@gantry/control-plane/context/cx'
import type { Reader } from '@gantry/control-plane/db/database'
import type { Row } from '@gantry/control-plane/db/tables'
import { removeVolumeLater } from '../../storage/content-removal.ts'

export type Restore = Row<'instance_restore'>

export const findRestore = (db: Reader, id: string): Promise<Restore | undefined> =>
  db.selectFrom('instance_restore').selectAll().where('id', '=', id).executeTakeFirst()

/** A restore that is in progress from an instance snapshot. */
export const runningRestore = (db: Reader, snapshotId: string): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('instance_restore')
    .select('id')
    .where('state', '=', 'running')
    .where('instance_snapshot_id', '=', snapshotId)
    .executeTakeFirst()

/** The restore if it is still in progress, locked. */
export const lockRunning = ({ plain }: Alongside, id: string): Promise<Restore | undefined> =>
  plain
    .selectFrom('instance_restore')
    .selectAll()
    .where('id', '=', id)
    .where('state', '=', 'running')
    .forUpdate()
    .executeTakeFirst()

export const scopeOfRestore = ({ silo_id, project_id }: Restore) => ({ silo_id, project_id })

export async function end(tx: Change, { id }: Restore, failure: FailureReason | null): Promise<void> {
  const state = failure ? 'failed' : 'done'
  await tx.plain
    .updateTable('instance_restore')
    .set({ state, failure: failure && JSON.stringify(failure), time_ended: tx.cx.now() })
    .where('id', '=', id)
    .execute()
  tx.note('instance-restore', id, undefined, { state })
}

/** Ends a restore that replaced nothing, and removes the bytes that it has created. */
export async function fail(tx: Change, restore: Restore, failure: FailureReason): Promise<void> {
  await end(tx, restore, failure)
  for (const { content_id } of restore.disks) await removeVolumeLater(tx, content_id)
}
