import { sql } from 'kysely'
import { stillValid } from '@gantry/control-plane/authz/access-token'
import type { Change } from '@gantry/control-plane/change/change'
import { tooManyRows } from '@gantry/control-plane/change/row-limits'

/**
 * Refuses a token to a user at the limit. Expired tokens appear in no list, so they do not count and are
 * deleted. Requires a lock on the user, so that concurrent approvals count one after the other.
 */
export async function needRoomForToken(tx: Change, silo_user_id: string): Promise<void> {
  const { cx } = tx
  const limit = cx.services.settings.limits.tokens_per_person
  const own = sql`t.silo_user_id = ${silo_user_id}`
  const valid = stillValid(cx.now())
  const [counted] = await tx.read
    .selectFrom('device_access_token as t')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(sql<boolean>`${own} AND ${valid}`)
    .execute()
  const left = limit - (counted?.count ?? 0)
  if (left <= 0)
    throw tooManyRows('user', { limit, words: 'access tokens', setting: 'limits.tokens_per_person' })
  await tx.plain
    .deleteFrom('device_access_token')
    .where(
      sql<boolean>`id IN (SELECT t.id FROM device_access_token t WHERE ${own} AND NOT (${valid})
        ORDER BY t.time_expires DESC OFFSET ${left - 1})`,
    )
    .execute()
}
