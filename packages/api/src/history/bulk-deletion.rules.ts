import { type Filter, parseFilter, printFilter } from '../filter/filter-text.rules.ts'
import { type BulkDeletedKind, listKind } from '../filter/list-kinds.rules.ts'

/** The filter for those that match and can be deleted; one that cannot be read is returned as it is. */
export const deletableOf = (kind: BulkDeletedKind, filter: string): string =>
  both(filter, listKind(kind).deletable ?? '')

/** The filter for those that match and are deleted with another object only; undefined for kinds without such. */
export function heldOf(kind: BulkDeletedKind, filter: string): { field: string; filter: string } | undefined {
  const rule = listKind(kind).held
  return rule && { field: rule.field, filter: both(filter, rule.filter) }
}

function both(filter: string, rule: string): string {
  const [asked, more] = [parseFilter(filter), parseFilter(rule)]
  if (asked.problem) return filter
  const parts = [asked.filter, more.problem ? undefined : more.filter].filter(
    (part): part is Filter => part !== undefined,
  )
  return printFilter({ filter: { kind: 'all', parts } })
}
