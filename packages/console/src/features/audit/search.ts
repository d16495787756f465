import { texts } from '#/kit/list/use-list-page.ts'

/** The URL's search parameters for the audit log. */
export interface AuditSearch {
  page?: string | undefined
  /** The open record. */
  record?: string | undefined
  actor?: string | undefined
  operation?: string | undefined
  object?: string | undefined
  result?: string | undefined
  /** Days such as `2025-08-01`, both inclusive, in the reader's time zone. */
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
