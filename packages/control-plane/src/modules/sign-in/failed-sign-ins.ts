import { sql } from 'kysely'
import type { Cx } from '../../kernel/cx.ts'
import { daysAgo, forgetOlder } from '../../kernel/retention.ts'
import type { Services } from '../../kernel/services.ts'

/**
 * Characters kept of an unknown name: enough to tell `root` from `admin`, and fewer than a password has,
 * because people type passwords into the wrong field.
 */
const strangerKept = 8
const userAgentKept = 256
/** Only this many of the newest rows are kept, however many arrive within the retention period. */
const rowsKept = 100_000

/** Records a failed sign-in with the name that was tried, and never the password. */
export async function noteFailedSignIn(cx: Cx, siloName: string, username: string): Promise<void> {
  const { request, services } = cx
  const agent = request.user_agent?.slice(0, userAgentKept) ?? null
  await sql`INSERT INTO failed_sign_in (id, time, silo_name, username, source_ip, user_agent)
    SELECT ${cx.newId()}::uuid, ${cx.now()}::timestamptz, known.silo, known.name, ${request.address}, ${agent}
    FROM (SELECT
      CASE WHEN EXISTS (SELECT 1 FROM silo s WHERE s.name = ${siloName} AND s.time_deleted IS NULL)
        THEN ${siloName} ELSE ${shortened(siloName)} END AS silo,
      CASE WHEN EXISTS (SELECT 1 FROM silo_user u JOIN silo s ON s.id = u.silo_id WHERE s.name = ${siloName}
        AND s.time_deleted IS NULL AND u.external_id = ${username} AND u.time_deleted IS NULL)
        THEN ${username} ELSE ${shortened(username)} END AS name) known`.execute(services.db)
}

const shortened = (name: string): string =>
  name.length > strangerKept ? `${name.slice(0, strangerKept)}…` : name

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
