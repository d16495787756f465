import { auditActor } from '../authz/actor.ts'
import type { NewRow } from '../db/tables.ts'
import type { Cx } from './cx.ts'
import type { Services } from './services.ts'

/** The audit record of a finished request that changes something. */
export function auditRow(
  cx: Cx,
  result: { status: number; code?: string | undefined; message?: string },
): NewRow<'audit'> {
  const { request, actor } = cx
  return {
    id: cx.newId(),
    time_started: request.time_started,
    time_completed: cx.now(),
    request_id: request.id,
    request_uri: request.uri.slice(0, 512),
    operation_id: request.operation,
    source_ip: request.address,
    user_agent: request.user_agent?.slice(0, 256) ?? null,
    actor: JSON.stringify(auditActor(actor)),
    auth_method: actor.kind === 'silo_user' ? (actor.credential?.method ?? null) : null,
    http_status_code: result.status,
    error_code: result.code ?? null,
    error_message: result.message ?? null,
  }
}

/** Deletes records past the configured retention. */
export async function forgetOldAudit({ db, clock, settings }: Services): Promise<void> {
  const before = new Date(clock().getTime() - settings.audit.retention_days * 24 * 3600 * 1000)
  await db.deleteFrom('audit').where('time_completed', '<', before).execute()
}
