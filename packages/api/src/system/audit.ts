import { z } from 'zod'
import { authMethods, auditResults, timeAndIdSorts } from './audit.rules.ts'
import { family, get } from '../op.ts'
import { flag, list, maybe, Moment, moment, named, pageOf, paging, text, Timestamp, Uuid } from '../schema.ts'
import { externalIdMaxLength } from '../people/silo.rules.ts'

const status = z.number().int().meta({ format: 'uint16' })

const AuditLogEntryActor = named(
  'AuditLogEntryActor',
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('user_builtin'), user_builtin_id: Uuid }),
    z.object({ kind: z.literal('silo_user'), silo_user_id: Uuid, silo_id: Uuid }),
    z.object({ kind: z.literal('scim'), silo_id: Uuid }),
    z.object({ kind: z.literal('unauthenticated') }),
  ]),
)

const AuditLogEntryResult = named(
  'AuditLogEntryResult',
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('success'), http_status_code: status }),
    z.object({
      kind: z.literal('error'),
      http_status_code: status,
      error_code: z.string().nullable(),
      error_message: z.string(),
    }),
    z.object({ kind: z.literal('unknown') }),
  ]),
)

export const AuditLogEntry = named(
  'AuditLogEntry',
  z.object({
    id: Uuid,
    time_started: Timestamp,
    time_completed: Timestamp,
    request_id: z.string(),
    request_uri: z.string(),
    operation_id: z.string(),
    source_ip: z.string().meta({ format: 'ip' }),
    user_agent: z.string().nullable(),
    actor: AuditLogEntryActor,
    /** By what it was known; null for an anonymous caller. */
    auth_method: named('AuthMethod', z.enum(authMethods)).nullable(),
    /** The session or token; null with the method, and of records from before it was kept. */
    credential_id: Uuid.nullable(),
    result: AuditLogEntryResult,
  }),
)
export type AuditLogEntry = z.infer<typeof AuditLogEntry>

const Contents = z.record(z.string(), z.unknown()).nullable()

/** One object that the operation created, changed or deleted. */
const AuditChange = named(
  'AuditChange',
  z.object({
    kind: z.string(),
    op: z.enum(['create', 'update', 'delete']),
    object_id: Uuid,
    /** Of a session, token or second factor, its owner's. Null for an object without a name, or one that the caller may not see. */
    name: z.string().nullable(),
    project: z.object({ id: Uuid, name: z.string() }).nullable(),
    silo: z.object({ id: Uuid, name: z.string() }).nullable(),
    /** Whether the caller may see the object, and therefore its contents. */
    is_visible: z.boolean(),
    /** The object's fields; null where it did not exist, is not visible, or was not requested. */
    before: Contents,
    after: Contents,
  }),
)
export type AuditChange = z.infer<typeof AuditChange>

const AuditRecord = named(
  'AuditRecord',
  z.object({
    ...AuditLogEntry.shape,
    /** Null for a user of another silo, unless the caller may see that silo. */
    source_ip: z.string().nullable(),
    /**
     * The caller, or of a sign-in the account that it named, also of a failed one. Null where there is none, and for a
     * user of a silo that the caller may not see.
     */
    actor_name: z.string().nullable(),
    actor_silo_name: z.string().nullable(),
    /** The beginning of the name that a failed sign-in tried, where no account has it; null once that is no longer kept. */
    tried_name: z.string().nullable(),
    /** Further details, such as the duration of a serial console session. */
    details: z.record(z.string(), z.unknown()).nullable(),
    /** The first changes of the operation, its object before the parts; `change_count` counts all of them. */
    changes: z.array(AuditChange),
    change_count: z.number().int(),
  }),
)
export type AuditRecord = z.infer<typeof AuditRecord>

/** A page token also carries the filters. */
export const auditPageTokenMax = 2048

export const TimeAndIdSortMode = named('TimeAndIdSortMode', z.enum(timeAndIdSorts))

/** A window of time, which bounds the work of a page. */
const inTime = {
  ...paging(auditPageTokenMax),
  /** Inclusive. */
  start_time: maybe(Moment),
  /** Exclusive. */
  end_time: maybe(moment()),
  sort_by: maybe(TimeAndIdSortMode),
}
const firstPage = { requiredOnFirstPage: ['start_time'], sorts: timeAndIdSorts } as const
const operationMaxLength = 100
const operationWords = `expected at most ${operationMaxLength} characters`
const whoWords = `expected at most ${externalIdMaxLength} characters`

const RecordQuery = z.object({
  ...inTime,
  /** A user, by name or id; or the words of `unnamedActors`, in any case of letters. */
  actor: maybe(text(externalIdMaxLength, whoWords)),
  /** Any of these operations: repeated, or separated by commas. */
  operation: maybe(list(text(operationMaxLength, operationWords), 50)),
  /** An object that was created, changed or deleted, by name or id. */
  object: maybe(text(externalIdMaxLength, whoWords)),
  result: maybe(z.enum(auditResults)),
  /** Whether to include the contents of changes; pages are then shorter. */
  whole: maybe(flag),
})
const AuditRecordPage = pageOf('AuditRecord', AuditRecord)
const path = z.object({ record_id: Uuid })

export const auditOps = {
  ...family('system/audit-log', ['audit-record'], {
    auditLogList: get('/v1/system/audit-log', {
      summary: 'List the audit log by completion time',
      query: z.object(inTime),
      ...firstPage,
      returns: pageOf('AuditLogEntry', AuditLogEntry),
    }),
  }),
  ...family('extensions', ['audit-record'], {
    auditRecordList: get('/ext/v1/system/audit-log', {
      summary: 'List the audit log of the installation, filtered, with the objects that changed',
      query: RecordQuery,
      ...firstPage,
      returns: AuditRecordPage,
    }),
    auditRecordView: get('/ext/v1/system/audit-log/{record_id}', {
      summary: 'Fetch a record of the audit log with what it changed',
      path,
      returns: AuditRecord,
    }),
    siloAuditRecordList: get('/ext/v1/audit-log', {
      summary: "List the audit log of the caller's silo, filtered, with the objects that changed",
      query: RecordQuery,
      ...firstPage,
      returns: AuditRecordPage,
    }),
    siloAuditRecordView: get('/ext/v1/audit-log/{record_id}', {
      summary: "Fetch a record of the audit log of the caller's silo with what it changed",
      path,
      returns: AuditRecord,
    }),
  }),
}
