import type * as op from '@gantry/api/client/operations.gen'
import { auditWholePage } from '@gantry/api/system/audit.rules'
import { callOr } from '#/data/fallback.ts'
import { atOnce, useExport } from '#/kit/list/use-export.ts'
import { auditOps, auditQuery, type AuditRecord, type AuditScope, plainRecords } from './queries.ts'
import type { AuditSearch } from './search.ts'

const csvPage = 1000

/** Saves all matching records. */
export const useAuditExport = (scope: AuditScope, search: AuditSearch) =>
  useExport<AuditRecord>({
    name: 'audit-log',
    noun: 'records',
    read: async (pageToken, format, signal) => {
      const list = auditOps[scope].list as typeof op.auditRecordList
      // JSON contains each record in full; a CSV cell only names the changed objects.
      const form = format === 'jsonl' ? { whole: true, limit: auditWholePage } : { limit: csvPage }
      const query = { ...(pageToken ? { pageToken } : auditQuery(search)), ...form }
      const { data } = await callOr(list, { query }, { signal }, plainRecords)
      const isLast = data.items.length < form.limit
      return { items: data.items, nextPage: (!isLast && data.nextPage) || undefined }
    },
    write: async (format) => {
      const { exported } = await import('./export.ts')
      return atOnce((items) => exported(items, format))
    },
  })
