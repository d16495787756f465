import { notificationLimits } from '@gantry/api/history/notification.rules'
import { type Kysely, sql } from 'kysely'
import { newUuid } from '../../context/ids.ts'
import type { Services } from '../../context/services.ts'
import type { NewRow, Tables } from '../../db/tables.ts'

/** A notification before it is written. */
export type Raised = Omit<NewRow<'notification'>, 'id' | 'time_read'>

export const aboutNothing = {
  object_kind: null,
  object_id: null,
  object_name: null,
  silo_id: null,
  project_id: null,
  task_id: null,
} as const

/** Writes those that their users want and do not have yet, and forgets what is beyond the limit of a user. */
export async function raise(
  db: Kysely<Tables>,
  { random }: Pick<Services, 'random'>,
  raised: readonly Raised[],
): Promise<void> {
  if (raised.length === 0) return
  const users = [...new Set(raised.map(({ silo_user_id }) => silo_user_id))]
  const muted = await db
    .selectFrom('notification_mute')
    .selectAll()
    .where('silo_user_id', 'in', users)
    .execute()
  const isMuted = ({ silo_user_id, kind }: Raised) =>
    muted.some((one) => one.silo_user_id === silo_user_id && one.kind === kind)
  const rows = raised.filter((one) => !isMuted(one)).map((one) => ({ ...one, id: newUuid(random) }))
  if (rows.length === 0) return
  await db
    .insertInto('notification')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['silo_user_id', 'key']).doNothing())
    .execute()
  await sql`DELETE FROM notification USING unnest(${users}::uuid[]) owner (id)
    WHERE silo_user_id = owner.id AND time_read IS NULL AND notification.id NOT IN (
      SELECT kept.id FROM notification kept WHERE kept.silo_user_id = owner.id AND kept.time_read IS NULL
      ORDER BY kept.time DESC, kept.id DESC LIMIT ${notificationLimits.perUser})`.execute(db)
}
