import { sql } from 'kysely'
import type { Credential } from '../db/tables.ts'
import type { Services } from '../context/services.ts'
import { stillValid } from './access-token.ts'
import { print } from './credential-text.ts'
import { stillOpen } from './session.ts'

const idsAtOnce = 1000

/**
 * What the users and roles of credentials rest on, by the ids of those that are still valid, in one statement per
 * thousand.
 */
export async function readPrints(
  services: Services,
  credentials: readonly Credential[],
): Promise<Map<string, string>> {
  const now = services.clock()
  const idsOf = (wanted: Credential['method']): string[] => [
    ...new Set(credentials.flatMap(({ method, id }) => (method === wanted ? [id] : []))),
  ]
  const kinds = [
    { table: 'console_session', ids: idsOf('session_cookie'), condition: stillOpen(now) },
    { table: 'device_access_token', ids: idsOf('access_token'), condition: stillValid(now) },
  ] as const
  const prints = new Map<string, string>()
  for (const { table, ids, condition } of kinds)
    for (let start = 0; start < ids.length; start += idsAtOnce) {
      const some = ids.slice(start, start + idsAtOnce)
      const { rows } = await sql<{ id: string; print: string }>`
        SELECT t.id, ${sql.raw(print)} AS print FROM ${sql.table(table)} t
        CROSS JOIN LATERAL (SELECT t.id) c
        JOIN silo_user u ON u.id = t.silo_user_id AND u.time_deleted IS NULL
        JOIN silo ON silo.id = u.silo_id AND silo.time_deleted IS NULL
        WHERE t.id = ANY (${some}::uuid[]) AND ${condition}`.execute(services.db)
      for (const { id, print } of rows) prints.set(id, print)
    }
  return prints
}
