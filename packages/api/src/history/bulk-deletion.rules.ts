import type { FilteredKind } from '../filter/filter-fields.rules.ts'
import { type Filter, parseFilter, printFilter } from '../filter/filter-text.rules.ts'
import { instanceBackupAllows } from '../backups/instance-backup.rules.ts'
import { diskAllows } from '../storage/disk.rules.ts'
import { instanceSnapshotAllows } from '../storage/instance-snapshot.rules.ts'
import { snapshotAllows } from '../storage/snapshot.rules.ts'

/** Kinds of which many are deleted by one request; instances have actions of their own. */
export const bulkDeletedKinds = [
  'disk',
  'snapshot',
  'instance-snapshot',
  'instance-backup',
  'image',
  'floating-ip',
  'external-subnet',
  'vpc',
] as const satisfies readonly FilteredKind[]
export type BulkDeletedKind = (typeof bulkDeletedKinds)[number]

/** What can be deleted, as a filter: of all that match another one, the rest is skipped. */
const deletable: Record<BulkDeletedKind, string> = {
  disk: `state:${diskAllows.delete.join(',')} protected:no`,
  // Members of an instance snapshot are deleted with it.
  snapshot: `state:${snapshotAllows.delete.join(',')} partof:none`,
  'instance-snapshot': `state:${instanceSnapshotAllows.delete.join(',')}`,
  'instance-backup': `state:${instanceBackupAllows.delete.join(',')}`,
  image: 'protected:no',
  'floating-ip': 'instance:none protected:no',
  'external-subnet': 'instance:none protected:no',
  vpc: 'protected:no',
}

/** Those of a kind that are deleted with another object, as a filter, and the field that names it. */
const held: Partial<Record<BulkDeletedKind, { field: string; filter: string }>> = {
  snapshot: { field: 'partof', filter: '-partof:none' },
}

/** The filter for those that match and can be deleted; one that cannot be read is returned as it is. */
export const deletableOf = (kind: BulkDeletedKind, filter: string): string => both(filter, deletable[kind])

/** The filter for those that match and are deleted with another object only; undefined for kinds without such. */
export function heldOf(kind: BulkDeletedKind, filter: string): { field: string; filter: string } | undefined {
  const rule = held[kind]
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
