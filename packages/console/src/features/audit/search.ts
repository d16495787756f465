import { auditResults, timeAndIdSorts } from '@gantry/api/audit.rules'
import type { InputOf } from '@gantry/api/client/client'
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

const keys = ['actor', 'operation', 'object', 'result', 'from', 'to'] as const

export const auditSearch: (search: Record<string, unknown>) => AuditSearch = texts('page', 'record', ...keys)

export const isNarrowed = (search: AuditSearch): boolean => keys.some((key) => search[key])

/** A first page has to name a beginning; before this there were no records. */
const beginning = new Date('2000-01-01T00:00:00Z')

/** What is asked of the server; words that mean nothing are ignored. */
export function auditQuery(search: AuditSearch): NonNullable<InputOf<'auditRecordList'>['query']> {
  const result = auditResults.find((each) => each === search.result)
  const end = dayOf(search.to, 1)
  return {
    startTime: dayOf(search.from, 0) ?? beginning,
    sortBy: timeAndIdSorts[1],
    ...(end && { endTime: end }),
    ...(search.actor && { actor: search.actor }),
    ...(search.operation && { operation: [search.operation] }),
    ...(search.object && { object: search.object }),
    ...(result && { result }),
  }
}

/** Midnight at the beginning of a day, or so many days later. */
function dayOf(text: string | undefined, later: number): Date | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '') ?? []
  if (day === undefined) return undefined
  const date = new Date(Number(year), Number(month) - 1, Number(day))
  // The calendar has no such day.
  if (date.getFullYear() !== Number(year) || date.getMonth() !== Number(month) - 1) return undefined
  date.setDate(date.getDate() + later)
  return date
}
