import { auditResults, timeAndIdSorts } from '@gantry/api/system/audit.rules'
import type { InputOf, OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { call } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import type { Fallback } from '#/data/fallback.ts'
import type { Loading } from '#/data/loading.ts'
import { type ListQuery, listQuery, opQuery } from '#/data/queries.ts'
import { dayOf } from '#/kit/inputs/day-of.ts'
import { type AuditSearch, auditSearch } from './search.ts'
import { objectOf, operationOf } from './words.ts'

export type AuditRecord = OutputOf<'auditRecordView'>
export type AuditChange = AuditRecord['changes'][number]

/** The scope of the log: the whole installation, or the caller's silo. */
export type AuditScope = 'fleet' | 'silo'
export const auditOps = {
  fleet: { list: op.auditRecordList, view: op.auditRecordView },
  silo: { list: op.siloAuditRecordList, view: op.siloAuditRecordView },
} as const

/** The change stream does not tell of new records. */
const pollMs = 10_000

export function auditRecords(scope: AuditScope, search: AuditSearch): ListQuery<'auditRecordList'> {
  const list = listQuery(
    auditOps[scope].list as typeof op.auditRecordList,
    { query: auditQuery(search) },
    { fallback: plainRecords },
  )
  return { ...list, at: (pageToken) => ({ ...list.at(pageToken), refetchInterval: pollMs }) }
}

export const auditRecord = (scope: AuditScope, recordId: string) =>
  opQuery(auditOps[scope].view as typeof op.auditRecordView, { path: { recordId } })

/** Whether this server lists records by time only, without what they changed. */
export const isPlainLog = (): boolean => isAbsent(op.auditRecordList)

/** The base API filters by time only, and identifies users by id. */
export const plainRecords: Fallback<'auditRecordList'> = async ({ query = {} }, options) => {
  const { limit, pageToken, startTime, endTime, sortBy } = query
  const page = { query: { limit, pageToken, startTime, endTime, sortBy } }
  const { data, etag } = await call(op.auditLogList, page, options)
  const items = data.items.map((entry) => ({
    ...entry,
    actorName: entry.actor.kind === 'silo_user' ? entry.actor.siloUserId : null,
    actorSiloName: null,
    triedName: null,
    details: null,
    changes: [],
    changeCount: 0,
  }))
  return { data: { ...data, items }, etag }
}

interface Visit {
  context: Loading
  location: { search: Record<string, unknown> }
}

/** Reads the log page that the URL names, and the open record. */
export function readLog({ context, location }: Visit, scope: AuditScope): Promise<void> {
  const search = auditSearch(location.search)
  const page = auditRecords(scope, search).at(search.page)
  return search.record ? context.prefetch(page, auditRecord(scope, search.record)) : context.prefetch(page)
}

/** The first page must name a start time; no record is older than this one. */
const beginning = new Date('2000-01-01T00:00:00Z')

/** The query for the server. Invalid values are ignored. */
export function auditQuery(search: AuditSearch): NonNullable<InputOf<'auditRecordList'>['query']> {
  const result = auditResults.find((each) => each === search.result)
  const end = dayOf(search.to, 1)
  return {
    startTime: dayOf(search.from, 0) ?? beginning,
    sortBy: timeAndIdSorts[1],
    ...(end && { endTime: end }),
    ...(search.actor && { actor: search.actor }),
    ...(search.operation && { operation: [operationOf(search.operation)] }),
    ...(search.object && { object: objectOf(search.object) }),
    ...(result && { result }),
  }
}

/** Whether any filter is set. */
export const isNarrowed = ({ page: _page, record: _record, ...filters }: AuditSearch): boolean =>
  Object.values(filters).some(Boolean)
