import type { AuditChange, AuditLogEntry } from '@gantry/api/system/audit'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import { locationOfChange } from '../../lookup/location.ts'
import { readableFields } from './readable-fields.ts'

/** A record as the reference describes it. */
export const entryView = (row: Row<'audit'>): AuditLogEntry => ({
  id: row.id,
  time_started: row.time_started.toISOString(),
  time_completed: row.time_completed.toISOString(),
  request_id: row.request_id,
  request_uri: row.request_uri,
  operation_id: row.operation_id,
  source_ip: row.source_ip,
  user_agent: row.user_agent,
  actor: actorView(row),
  auth_method: row.auth_method,
  credential_id: row.credential_id,
  result: resultView(row),
})

function actorView({ actor }: Row<'audit'>): AuditLogEntry['actor'] {
  if (actor.kind === 'scim') return { kind: 'scim', silo_id: actor.silo_id }
  if (actor.kind !== 'silo_user') return { kind: 'unauthenticated' }
  const { kind, silo_user_id, silo_id } = actor
  return { kind, silo_user_id, silo_id }
}

const resultView = ({ http_status_code, error_code, error_message }: Row<'audit'>): AuditLogEntry['result'] =>
  http_status_code < 400
    ? { kind: 'success', http_status_code }
    : { kind: 'error', http_status_code, error_code, error_message: error_message ?? '' }

/** A change with the names around it, as read for a record. */
export type ReadChange = Pick<
  Row<'change'>,
  'kind' | 'op' | 'object_id' | 'name' | 'silo_id' | 'project_id' | 'actor' | 'before' | 'after'
> & { project_name: string | null; silo_name: string | null }

/** Contents and names are only for callers who may see the object itself. */
export function changeView(
  cx: Cx,
  change: ReadChange,
  isWhole: boolean,
  /** The name of the user whose session, token or factor changed. */
  owner: string | null,
): AuditChange {
  const { kind, op, object_id, name, silo_id, project_id, actor, project_name, silo_name } = change
  const location = locationOfChange({ kind, id: object_id, silo_id, project_id, actor })
  const isVisible = cx.can('read', location)
  const contents = (row: ReadChange['before']) => (isVisible && isWhole && row ? readableFields(row) : null)
  return {
    kind,
    op,
    object_id,
    name: isVisible ? (name ?? owner) : null,
    project:
      isVisible && kind !== 'project' && project_id && project_name
        ? { id: project_id, name: project_name }
        : null,
    silo: silo_id && silo_name ? { id: silo_id, name: silo_name } : null,
    is_visible: isVisible,
    before: contents(change.before),
    after: contents(change.after),
  }
}
