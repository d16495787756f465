import { firstOf, isLonger } from '@gantry/api/base/text.rules'
import { sql } from 'kysely'
import type { Cx } from '@gantry/control-plane/context/cx'
import { daysAgo, forgetOlder } from '@gantry/control-plane/db/retention'
import type { Services } from '@gantry/control-plane/context/services'

/**
 * Characters kept of an unknown name: enough to tell `root` from `admin`, and fewer than a password has,
 * because people type passwords into the wrong field.
 */
const strangerKept = 8
const userAgentKept = 256
/** Only this many of the newest rows are kept, however many arrive within the retention period. */
const rowsKept = 100_000

/**
 * Records a failed sign-in with the name that was tried, and never the password. The audit record of the request is
 * then about that account, or at least about the silo. One statement for known and unknown names alike.
 */
export async function noteFailedSignIn(cx: Cx, siloName: string, username: string): Promise<void> {
  const { request, services } = cx
  const agent = request.user_agent?.slice(0, userAgentKept) ?? null
  const { rows } = await sql<{ silo_id: string | null; user_id: string | null }>`WITH known AS MATERIALIZED (
      SELECT (SELECT s.id FROM silo s WHERE s.name = ${siloName} AND s.time_deleted IS NULL) AS silo_id,
        (SELECT u.id FROM silo_user u JOIN silo s ON s.id = u.silo_id WHERE s.name = ${siloName}
          AND s.time_deleted IS NULL AND u.external_id = ${username} AND u.time_deleted IS NULL) AS user_id
    ), noted AS (
      INSERT INTO failed_sign_in (id, time, silo_name, username, request_id, source_ip, user_agent)
      SELECT ${cx.newId()}::uuid, ${cx.now()}::timestamptz,
        CASE WHEN silo_id IS NULL THEN ${shortened(siloName)} ELSE ${siloName} END,
        CASE WHEN user_id IS NULL THEN ${shortened(username)} ELSE ${username} END,
        ${request.id || null}, ${request.address}, ${agent}
      FROM known
    ) SELECT silo_id, user_id FROM known`.execute(services.db)
  const [known] = rows
  if (known?.silo_id) request.subject = { silo_id: known.silo_id, user_id: known.user_id }
}

const shortened = (name: string): string =>
  isLonger(name, strangerKept) ? `${firstOf(name, strangerKept)}…` : name

export async function forgetFailedSignIns(services: Services): Promise<void> {
  const old = { table: 'failed_sign_in', time: 'time' } as const
  const before = daysAgo(services, services.settings.audit.failed_sign_in_retention_days)
  await forgetOlder(services, { ...old, before })
  const newest = await services.db
    .selectFrom('failed_sign_in')
    .select('time')
    .orderBy('time', 'desc')
    .offset(rowsKept - 1)
    .limit(1)
    .executeTakeFirst()
  if (newest) await forgetOlder(services, { ...old, before: newest.time })
}
