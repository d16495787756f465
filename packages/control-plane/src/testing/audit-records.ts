import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'

/** Adds a record of a request that changed nothing, in a silo or of the fleet; gives its id. */
export async function addAuditRecord(db: Kysely<Tables>, silo_id: string | null): Promise<string> {
  const id = crypto.randomUUID()
  const now = new Date()
  await db
    .insertInto('audit')
    .values({
      id,
      time_started: now,
      time_completed: now,
      request_id: crypto.randomUUID(),
      request_uri: '/v1/login/demo/local',
      operation_id: 'login_local',
      source_ip: '192.0.2.7',
      user_agent: null,
      actor: JSON.stringify({ kind: 'unauthenticated' }),
      auth_method: null,
      http_status_code: 401,
      error_code: 'Unauthorized',
      error_message: 'credentials missing or invalid',
      silo_id,
    })
    .execute()
  return id
}
