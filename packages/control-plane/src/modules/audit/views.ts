import type { AuditChange, AuditLogEntry } from '@gantry/api/system/audit'
import { notShown } from '@gantry/api/system/audit.rules'
import { firstOf, isLonger } from '@gantry/api/base/text.rules'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import { locationOfChange } from '../../lookup/location.ts'
import { formatMac } from '../network/addresses/ip.ts'

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
  actor: row.actor.kind === 'silo_user' ? row.actor : { kind: 'unauthenticated' },
  auth_method: row.auth_method,
  result: resultView(row),
})

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
  const contents = (row: ReadChange['before']) => (isVisible && isWhole && row ? shownRow(row) : null)
  return {
    kind,
    op,
    object_id,
    name: isVisible ? (name ?? owner) : null,
    project: isVisible && project_id && project_name ? { id: project_id, name: project_name } : null,
    silo: silo_id && silo_name ? { id: silo_id, name: silo_name } : null,
    is_visible: isVisible,
    before: contents(change.before),
    after: contents(change.after),
  }
}

/** Placeholders for the fields that the location does not depend on. */
/** Columns that hold or may hold a secret: people put passwords and keys into user data. */
const secretColumns = new Set([
  'user_data',
  'secret',
  'password',
  'hash',
  'token_hash',
  'secret_hash',
  'code_hash',
  'password_hash',
  'private_key',
  'key',
])
/** Longer texts, such as an identity provider's metadata, are cut. */
const shownChars = 4096

/** Repeated as a number for look-ups, beside the text that people read. */
const repeated = new Set(['ip_int', 'first_int', 'last_int'])

function readable([column, value]: [string, unknown]): [string, unknown][] {
  if (repeated.has(column)) return []
  if (column === 'mac_int') return [['mac', typeof value === 'number' ? formatMac(value) : value]]
  return [[column, value]]
}

/** A row for readers: addresses as text, secrets replaced, long texts cut. */
function shownRow(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row)
      .flatMap(readable)
      .map(([column, value]) => {
        if (secretColumns.has(column)) return [column, value === '' || value === null ? value : notShown]
        if (typeof value === 'string' && isLonger(value, shownChars))
          return [column, `${firstOf(value, shownChars)}…`]
        return [column, value]
      }),
  )
}
