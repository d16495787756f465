import type { InputOf } from '@gantry/api/client/client'
import type * as op from '@gantry/api/client/operations.gen'
import { auditWholePage } from '@gantry/api/system/audit.rules'
import { useEffect, useRef, useState } from 'react'
import type { Failure } from '#/data/failure.ts'
import { callOr } from '#/data/fallback.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { saveText } from '#/ui/save-file.ts'
import { toast } from '#/ui/overlays/toast.ts'
import { exported, type ExportFormat, exportFormats } from './export.ts'
import { auditOps, auditQuery, type AuditRecord, type AuditScope, plainRecords } from './queries.ts'
import type { AuditSearch } from './search.ts'

/** The maximum of records in one file: what a tab can hold and a spreadsheet can show. */
const maxRecords = 20_000
const csvPage = 1000

/** Reads all matching records page by page, and saves them as a download. */
export function useExport(scope: AuditScope, search: AuditSearch) {
  const [isReading, setReading] = useState(false)
  const ending = useRef<AbortController>(undefined)
  useEffect(() => () => ending.current?.abort(), [])

  async function run(format: ExportFormat): Promise<void> {
    const controller = new AbortController()
    ending.current = controller
    setReading(true)
    try {
      const { records, isCut } = await readRecords(scope, search, format, controller.signal)
      const day = new Date().toISOString().slice(0, 10)
      saveText(`audit-log-${day}.${format}`, exported(records, format), exportFormats[format].type)
      if (isCut)
        toast.info({
          title: `Exported the newest ${formatNumber(maxRecords)} records`,
          text: 'Narrow the time range to export the rest.',
        })
    } catch (error) {
      if (!controller.signal.aborted) toast.error(failureText(error as Failure))
    } finally {
      setReading(false)
    }
  }
  return { isReading, run: (format: ExportFormat) => void run(format) }
}

async function readRecords(
  scope: AuditScope,
  search: AuditSearch,
  format: ExportFormat,
  signal: AbortSignal,
) {
  const list = auditOps[scope].list as typeof op.auditRecordList
  // JSON contains each record in full; a CSV cell only names the changed objects.
  const form = format === 'jsonl' ? { whole: true, limit: auditWholePage } : { limit: csvPage }
  const records: AuditRecord[] = []
  let pageToken: string | null | undefined
  do {
    const query: InputOf<'auditRecordList'>['query'] = {
      ...(pageToken ? { pageToken } : auditQuery(search)),
      ...form,
    }
    const { data } = await callOr(list, { query }, { signal }, plainRecords)
    records.push(...data.items)
    pageToken = data.items.length < form.limit ? undefined : data.nextPage
  } while (pageToken && records.length < maxRecords)
  return { records: records.slice(0, maxRecords), isCut: Boolean(pageToken) }
}
