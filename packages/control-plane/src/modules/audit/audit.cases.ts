import type { auditOps } from '@gantry/api/system/audit'
import { id, inTime } from '../../testing/case-values.ts'
import { type CasesOf, openly } from '../../testing/operation-case.ts'

export const auditCases: CasesOf<typeof auditOps> = {
  auditLogList: {
    sent: { query: inTime },
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/v1/system/audit-log?start_time=2025-01-01T00:00:00Z'],
  },
  auditRecordList: {
    sent: { query: { ...inTime, operation: 'instance_create', result: 'success' } },
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/audit-log?start_time=2025-01-01T00:00:00Z'],
  },
  auditRecordView: {
    sent: { path: { record_id: id } },
    rule: openly('read', 'fleet'),
    allowed: ({ ids }) => [`/ext/v1/system/audit-log/${ids.audit}`],
  },
  siloAuditRecordList: {
    sent: { query: { ...inTime, whole: 'true' } },
    rule: openly('list_children', 'siloAuditLog'),
    allowed: () => ['/ext/v1/audit-log?start_time=2025-01-01T00:00:00Z'],
  },
  siloAuditRecordView: {
    sent: { path: { record_id: id } },
    rule: openly('read', 'siloAuditLog'),
    allowed: async ({ who, recordIn }) => [`/ext/v1/audit-log/${await recordIn(who.silo)}`],
  },
}
