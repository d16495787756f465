import type { Operation } from '@gantry/api/op'
import { operationId, ops } from '@gantry/api/registry'
import { type Actor, auditActor } from '../authz/actor.ts'
import type { AuthMethod, NewRow } from '../db/tables.ts'
import type { Cx } from '../context/cx.ts'
import { daysAgo, forgetOlder } from '../db/retention.ts'
import type { Services } from '../context/services.ts'

/** The audit record of a finished request that changes something. */
export function auditRow(
  cx: Cx,
  result: { status: number; code?: string | undefined; message?: string },
  /** Whose objects changed; null for the fleet's. */
  silo_id: string | null = siloOf(cx),
): NewRow<'audit'> {
  const { request, actor } = cx
  // The object is named only where the readers of the record may see it.
  const about = cx.about?.silo_id === silo_id ? cx.about : undefined
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
    ...credentialOf(actor),
    http_status_code: result.status,
    error_code: result.code ?? null,
    error_message: result.message ?? null,
    silo_user_id: actor.kind === 'silo_user' ? actor.user_id : (request.subject?.user_id ?? null),
    silo_id,
    object_kind: about?.kind ?? null,
    object_id: about?.id ?? null,
    object_name: about?.name ?? null,
    project_id: about?.project_id ?? null,
    // What was refused is nothing to repeat.
    request: result.status < 400 ? (request.sent ?? null) : null,
    details: request.details && JSON.stringify(request.details),
  }
}

function credentialOf(actor: Actor): { auth_method: AuthMethod | null; credential_id: string | null } {
  if (actor.kind === 'scim') return { auth_method: 'scim_token', credential_id: actor.token_id }
  const credential = actor.kind === 'silo_user' ? actor.credential : undefined
  return { auth_method: credential?.method ?? null, credential_id: credential?.id ?? null }
}

/** Faults are injected into the rack, independent of the instance's owner. */
const fleetPath = /^(\/ext|\/experimental)?\/v1\/(system|faults)(\/|$)/

/** Operations on the fleet's objects, of which the admins of a silo learn nothing, not even from refusals. */
const ofFleet = new Set(
  Object.entries<Operation>(ops)
    .filter(([, { path, tag }]) => tag.startsWith('system/') || fleetPath.test(path))
    .map(([name]) => operationId(name)),
)

/** Without a change, the record belongs to the caller's silo, or to the one in which an account was tried. */
function siloOf({ actor, request }: Cx): string | null {
  if (ofFleet.has(request.operation)) return null
  return actor.kind === 'silo_user' || actor.kind === 'scim'
    ? actor.silo_id
    : (request.subject?.silo_id ?? null)
}

/** Deletes records past the configured retention. */
export const forgetOldAudit = (services: Services): Promise<void> =>
  forgetOlder(services, {
    table: 'audit',
    time: 'time_completed',
    before: daysAgo(services, services.settings.audit.retention_days),
  })
