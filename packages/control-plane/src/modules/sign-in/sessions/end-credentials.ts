import { sql } from 'kysely'
import type { Credential } from '@gantry/control-plane/db/tables'
import type { Change } from '@gantry/control-plane/change/change'
import { unauthorized } from '@gantry/control-plane/context/refusal'

/**
 * Ends every session of a user and deletes every token, except `kept`. Requires a lock on the user: a
 * concurrent sign-in or token grant holds the same lock, so it is either found here or comes too late.
 */
export async function endCredentials(tx: Change, silo_user_id: string, kept?: Credential): Promise<void> {
  for (const [table, kind] of kinds) {
    const all = tx.plain.deleteFrom(table as 'console_session').where('silo_user_id', '=', silo_user_id)
    await (kept ? all.where('id', '<>', kept.id) : all).execute()
    tx.note(kind, silo_user_id, undefined, undefined)
  }
}

/** Ends the sessions and tokens of every user of a silo, except `kept`. */
export async function endCredentialsOfSilo(tx: Change, silo_id: string, kept?: Credential): Promise<void> {
  // In one order, as a concurrent sign-in or token grant holds one of them.
  const people = await tx.read
    .selectFrom('silo_user')
    .select('id')
    .where('silo_id', '=', silo_id)
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  const ids = people.map(({ id }) => id)
  for (const [table, kind] of kinds) {
    const ended = await tx.plain
      .deleteFrom(table as 'console_session')
      .where(sql<boolean>`silo_user_id = ANY (${ids}::uuid[])`)
      .where(kept ? sql<boolean>`id <> ${kept.id}` : sql<boolean>`true`)
      .returning('silo_user_id')
      .execute()
    for (const id of new Set(ended.map(({ silo_user_id }) => silo_user_id)))
      tx.note(kind, id, undefined, undefined)
  }
}

const kinds = [
  ['console_session', 'console-session'],
  ['device_access_token', 'device-access-token'],
] as const

/**
 * Locks the calling user, and refuses a caller whose session or token has ended since the request was
 * authenticated.
 */
export async function lockCaller(tx: Change): Promise<void> {
  const { user_id, credential } = tx.cx.user()
  await tx.lockById('silo_user', user_id)
  if (!credential) return
  const table = credential.method === 'session_cookie' ? 'console_session' : 'device_access_token'
  const row = await tx.read
    .selectFrom(table as 'console_session')
    .select('id')
    .where('id', '=', credential.id)
    .executeTakeFirst()
  if (!row) throw unauthorized()
}
