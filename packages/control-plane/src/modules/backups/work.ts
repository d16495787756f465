import { sql } from 'kysely'
import { type Change, change } from '../../change/change.ts'
import { type Repeat, repeatIn } from '../../change/define-job.ts'
import { type Cx, systemCx } from '../../context/cx.ts'
import type { Refusal } from '../../context/refusal.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import { removeContentLater } from '../storage/content-removal.ts'
import { refusalOf } from './opened.ts'

export type Backup = Row<'instance_backup'>
export type Work = Row<'backup_work'>

/** How often it notices that it was cancelled, and tells how far it is. */
export const beatMs = 1000
/** Attempts without progress before it fails. */
const maxFailures = 8
const backoffMs = (failures: number): number => Math.min(60_000, 500 * 2 ** failures)

export interface Owned {
  backup: Backup
  scope: { silo_id: string; project_id: string }
  /** For its manifest. */
  names: { project: string; silo: string }
}

/** A backup with its place, deleted or not. */
export async function findBackup({ db }: { db: Reader }, id: string): Promise<Owned | undefined> {
  const backup = await db.selectFrom('instance_backup').selectAll().where('id', '=', id).executeTakeFirst()
  const place =
    backup &&
    (await db
      .selectFrom('project')
      .innerJoin('silo', 'silo.id', 'project.silo_id')
      .select([
        'project.id as project_id',
        'project.name as project',
        'silo.id as silo_id',
        'silo.name as silo',
      ])
      .where('project.id', '=', backup.project_id)
      .executeTakeFirst())
  if (!place) return undefined
  const { project_id, silo_id, ...names } = place
  return { backup, scope: { silo_id, project_id }, names }
}

export const findWork = ({ db }: Pick<Cx, 'db'>, id: string): Promise<Work | undefined> =>
  db.selectFrom('backup_work').selectAll().where('instance_backup_id', '=', id).executeTakeFirst()

/** Whether it is still wanted in this state; assumed while the database is unavailable. */
export const isWanted = ({ db }: Pick<Cx, 'db'>, id: string, state: Backup['state']): Promise<boolean> =>
  db
    .selectFrom('instance_backup')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', state)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
    .then(
      (row) => row !== undefined,
      () => true,
    )

export const backupCx = (cx: Pick<Cx, 'services'>): Cx => systemCx(cx.services, 'job:instance-backup')

/** Tells how far it is; an attempt that begins again tells nothing new until it is farther than the one before. */
export const count = (
  cx: Cx,
  { backup: { id }, scope }: Owned,
  { done, sent }: { done: number; sent?: number },
): Promise<void> =>
  change(backupCx(cx), scope, async (tx) => {
    await tx.plain
      .updateTable('backup_work')
      .set({ ...(sent !== undefined && { sent }), ...farther(done) })
      .where('instance_backup_id', '=', id)
      .execute()
    tx.note('instance-backup', id, undefined, { done })
  })

/** Progress forgets failures. */
export const farther = (done: number) => ({
  failures: sql<number>`CASE WHEN done < ${done} THEN 0 ELSE failures END`,
  done: sql<number>`greatest(done, ${done})`,
})

/** What is needed no more once it has ended: the copies of its disks. */
export async function endWork(tx: Change, id: string): Promise<void> {
  const gone = await tx.plain
    .deleteFrom('backup_work')
    .where('instance_backup_id', '=', id)
    .returning('copies')
    .executeTakeFirst()
  for (const { content_id } of gone?.copies ?? []) await removeContentLater(tx, content_id)
}

/** Tries again later; throws the refusal if that makes no sense, or was done often without progress. */
export async function afterFailure(cx: Cx, id: string, error: unknown): Promise<Repeat> {
  const refusal = refusalOf(error)
  if (isFinal(error, refusal)) throw refusal
  const work = await findWork(cx, id)
  const failures = (work?.failures ?? 0) + 1
  if (failures >= maxFailures) throw refusal ?? error
  cx.services.log.warn({ err: error, backup: id, failures }, 'a backup did not get on')
  await cx.services.db
    .updateTable('backup_work')
    .set({ failures })
    .where('instance_backup_id', '=', id)
    .execute()
  return repeatIn(backoffMs(failures))
}

/** A refusal of our own says that trying again is of no use; one of the store may pass. */
export const isFinal = (error: unknown, refusal: Refusal | undefined): refusal is Refusal =>
  refusal !== undefined && error === refusal && refusal.code !== 'ServiceNotAvailable'
