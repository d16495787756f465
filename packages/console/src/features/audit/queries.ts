import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '#/data/queries.ts'
import type { Loading } from '#/data/loading.ts'
import { auditQuery } from './query.ts'
import { type AuditSearch, auditSearch } from './search.ts'

export type AuditRecord = OutputOf<'auditRecordView'>
export type AuditChange = AuditRecord['changes'][number]

/** Whose log: the whole installation's, or that of the caller's silo. */
export type AuditScope = 'fleet' | 'silo'
export const auditOps = {
  fleet: { list: op.auditRecordList, view: op.auditRecordView },
  silo: { list: op.siloAuditRecordList, view: op.siloAuditRecordView },
} as const

export const auditRecords = (scope: AuditScope, search: AuditSearch) =>
  listQuery(auditOps[scope].list as typeof op.auditRecordList, { query: auditQuery(search) })
export const auditRecord = (scope: AuditScope, recordId: string) =>
  opQuery(auditOps[scope].view as typeof op.auditRecordView, { path: { recordId } })

interface Visit {
  context: Loading
  location: { search: Record<string, unknown> }
}

/** Reads the page of the log that the URL names, and the record that is open. */
export function readLog({ context, location }: Visit, scope: AuditScope): Promise<void> {
  const search = auditSearch(location.search)
  const page = auditRecords(scope, search).at(search.page)
  return search.record ? context.prefetch(page, auditRecord(scope, search.record)) : context.prefetch(page)
}
