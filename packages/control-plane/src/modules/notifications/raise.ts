import { notificationLimits } from '@gantry/api/history/notification.rules'
import { sql } from 'kysely'
import type { Change } from '../../change/change.ts'
import type { NewRow } from '../../db/tables.ts'
import { portions } from '../../db/portions.ts'

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

/**
 * Writes those that their users want and do not have yet, forgets what is beyond the limit of a user, and tells their
 * consoles.
 */
export async function raise(tx: Change, raised: readonly Raised[]): Promise<void> {
  const rows = await wanted(tx, raised)
  if (rows.length === 0) return
  // A silo can have many admins.
  for (const some of portions(rows))
    await tx.plain
      .insertInto('notification')
      .values(some.map((one) => ({ ...one, id: tx.cx.newId() })))
      .onConflict((conflict) => conflict.columns(['silo_user_id', 'key']).doNothing())
      .execute()
  const users = [...new Set(rows.map(({ silo_user_id }) => silo_user_id))]
  await sql`DELETE FROM notification USING unnest(${users}::uuid[]) owner (id)
    WHERE silo_user_id = owner.id AND time_read IS NULL AND notification.id NOT IN (
      SELECT kept.id FROM notification kept WHERE kept.silo_user_id = owner.id AND kept.time_read IS NULL
      ORDER BY kept.time DESC, kept.id DESC LIMIT ${notificationLimits.perUser})`.execute(tx.plain)
  const { rows: known } = await sql<{ id: string; silo_id: string }>`
    SELECT id, silo_id FROM silo_user WHERE id = ANY (${users}::uuid[])`.execute(tx.plain)
  for (const { id, silo_id } of known) tellUser(tx, 'notification', id, silo_id)
}

/** News for the consoles of one user. */
export const tellUser = (
  tx: Change,
  kind: 'notification' | 'task' | 'list-preference' | 'favourite',
  user: string,
  silo_id: string,
): void => tx.note(kind, user, undefined, undefined, { silo_id, project_id: null })

/** Without those that their users have already, and of kinds that they muted: pending conditions come up every minute. */
async function wanted(tx: Change, raised: readonly Raised[]): Promise<Raised[]> {
  if (raised.length === 0) return []
  const users = raised.map(({ silo_user_id }) => silo_user_id)
  const { rows } = await sql<{ place: number }>`
    SELECT asked.place::int AS place FROM unnest(${users}::uuid[], ${raised.map(({ key }) => key)}::text[],
      ${raised.map(({ kind }) => kind)}::text[]) WITH ORDINALITY asked (owner, key, kind, place)
    WHERE NOT EXISTS (SELECT FROM notification n WHERE n.silo_user_id = asked.owner AND n.key = asked.key)
      AND NOT EXISTS (SELECT FROM notification_mute m WHERE m.silo_user_id = asked.owner AND m.kind = asked.kind)
    ORDER BY asked.place`.execute(tx.plain)
  return rows.flatMap(({ place }) => raised[place - 1] ?? [])
}
