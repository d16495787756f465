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

/** Rows of one statement: a silo can have many admins. */
const rowsAtOnce = 500

/** Writes those that their users want and do not have yet, and forgets what is beyond the limit of a user. */
export async function raise(
  db: Kysely<Tables>,
  { random }: Pick<Services, 'random'>,
  raised: readonly Raised[],
): Promise<void> {
  const rows = await wanted(db, raised)
  if (rows.length === 0) return
  for (let start = 0; start < rows.length; start += rowsAtOnce)
    await db
      .insertInto('notification')
      .values(rows.slice(start, start + rowsAtOnce).map((one) => ({ ...one, id: newUuid(random) })))
      .onConflict((conflict) => conflict.columns(['silo_user_id', 'key']).doNothing())
      .execute()
  const users = [...new Set(rows.map(({ silo_user_id }) => silo_user_id))]
  await sql`DELETE FROM notification USING unnest(${users}::uuid[]) owner (id)
    WHERE silo_user_id = owner.id AND time_read IS NULL AND notification.id NOT IN (
      SELECT kept.id FROM notification kept WHERE kept.silo_user_id = owner.id AND kept.time_read IS NULL
      ORDER BY kept.time DESC, kept.id DESC LIMIT ${notificationLimits.perUser})`.execute(db)
}

/** Without those that their users have already, and of kinds that they muted: pending conditions come up every minute. */
async function wanted(db: Kysely<Tables>, raised: readonly Raised[]): Promise<Raised[]> {
  if (raised.length === 0) return []
  const users = raised.map(({ silo_user_id }) => silo_user_id)
  const { rows } = await sql<{ place: number }>`
    SELECT asked.place::int AS place FROM unnest(${users}::uuid[], ${raised.map(({ key }) => key)}::text[],
      ${raised.map(({ kind }) => kind)}::text[]) WITH ORDINALITY asked (owner, key, kind, place)
    WHERE NOT EXISTS (SELECT FROM notification n WHERE n.silo_user_id = asked.owner AND n.key = asked.key)
      AND NOT EXISTS (SELECT FROM notification_mute m WHERE m.silo_user_id = asked.owner AND m.kind = asked.kind)
    ORDER BY asked.place`.execute(db)
  return rows.flatMap(({ place }) => raised[place - 1] ?? [])
}
