import type { FilteredKind } from '../filter/filter-fields.rules.ts'
import { type Filter, parseFilter, printFilter } from '../filter/filter-text.rules.ts'
import { diskAllows } from '../storage/disk.rules.ts'
import { snapshotAllows } from '../storage/snapshot.rules.ts'

/** Kinds of which many are deleted by one request; instances have actions of their own. */
export const bulkDeletedKinds = [
  'disk',
  'snapshot',
  'image',
  'floating-ip',
  'vpc',
] as const satisfies readonly FilteredKind[]
export type BulkDeletedKind = (typeof bulkDeletedKinds)[number]

/** What can be deleted, as a filter: of all that match another one, the rest is skipped. */
const deletable: Record<BulkDeletedKind, string> = {
  disk: `state:${diskAllows.delete.join(',')} protected:no`,
  snapshot: `state:${snapshotAllows.delete.join(',')}`,
  image: 'protected:no',
  'floating-ip': 'instance:none protected:no',
  vpc: 'protected:no',
}

/** The filter for those that match and can be deleted; one that cannot be read is returned as it is. */
export function deletableOf(kind: BulkDeletedKind, filter: string): string {
  const asked = parseFilter(filter)
  if (asked.problem) return filter
  const rule = parseFilter(deletable[kind])
  const parts = [asked.filter, rule.problem ? undefined : rule.filter].filter(
    (part): part is Filter => part !== undefined,
  )
  return printFilter({ filter: { kind: 'all', parts } })
}
