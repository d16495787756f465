import { toWire } from '@gantry/api/client/camel'
import { recordKeys } from '@gantry/api/client/records.gen'
import { csvLine } from '#/kit/list/csv.ts'
import type { ExportFormat } from '#/kit/list/use-export.ts'
import type { AuditRecord } from './queries.ts'

const heads = [
  'id',
  'time_started',
  'time_completed',
  'actor',
  'silo',
  'tried_name',
  'auth_method',
  'credential_id',
  'source_ip',
  'user_agent',
  'operation_id',
  'request_uri',
  'request_id',
  'result',
  'http_status_code',
  'error_code',
  'error_message',
  'changed',
] as const

/** One line per record; CSV starts with a line of column heads. */
export function exported(records: readonly AuditRecord[], format: ExportFormat): string {
  if (format === 'jsonl')
    return records.map((record) => `${JSON.stringify(toWire(record, recordKeys))}\n`).join('')
  return [heads, ...records.map(cells)].map((line) => `${csvLine(line)}\r\n`).join('')
}

function cells(record: AuditRecord): (string | number)[] {
  const { result, changes, changeCount } = record
  const isError = result.kind === 'error'
  const more = changeCount - changes.length
  return [
    record.id,
    record.timeStarted.toISOString(),
    record.timeCompleted.toISOString(),
    record.actorName ?? (record.actor.kind === 'silo_user' ? record.actor.siloUserId : ''),
    record.actorSiloName ?? '',
    record.triedName ?? '',
    record.authMethod ?? '',
    record.credentialId ?? '',
    record.sourceIp ?? '',
    record.userAgent ?? '',
    record.operationId,
    record.requestUri,
    record.requestId,
    result.kind,
    result.kind === 'unknown' ? '' : result.httpStatusCode,
    isError ? (result.errorCode ?? '') : '',
    isError ? result.errorMessage : '',
    [
      ...changes.map(({ op, kind, name, objectId }) => `${op} ${kind} ${name ?? objectId}`),
      ...(more > 0 ? [`and ${more} more`] : []),
    ].join('; '),
  ]
}
