import { texts } from '#/features/common/use-list-page.ts'

/** What the URL asks of the audit log. */
export interface AuditSearch {
  page?: string | undefined
  /** The record that is open. */
  record?: string | undefined
  actor?: string | undefined
  operation?: string | undefined
  object?: string | undefined
  result?: string | undefined
  /** Days, as in `2025-08-01`, both included, in the reader's time zone. */
  from?: string | undefined
  to?: string | undefined
}

export const auditSearch: (search: Record<string, unknown>) => AuditSearch = texts(
  'page',
  'record',
  'actor',
  'operation',
  'object',
  'result',
  'from',
  'to',
)
