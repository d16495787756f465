import { auditResults, timeAndIdSorts } from '@gantry/api/audit.rules'
import type { InputOf } from '@gantry/api/client/client'
import type { AuditSearch } from './search.ts'

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

/** Whether anything but the page is asked for. */
export const isNarrowed = ({ page: _page, record: _record, ...filters }: AuditSearch): boolean =>
  Object.values(filters).some(Boolean)
