import { implement } from '../../pipeline/implement.ts'
import { listEntries, listRecords, listSiloRecords, viewRecord, viewSiloRecord } from './service.ts'

export const auditHttp = implement({
  auditLogList: (cx, { query }) => listEntries(cx, query),
  auditRecordList: (cx, { query }) => listRecords(cx, query),
  auditRecordView: (cx, { path }) => viewRecord(cx, path),
  siloAuditRecordList: (cx, { query }) => listSiloRecords(cx, query),
  siloAuditRecordView: (cx, { path }) => viewSiloRecord(cx, path),
})
