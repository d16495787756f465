import type { TrackedName } from '../db/tables.ts'
import { kinds } from '../lookup/kinds.ts'
import { dayMs, daysAgo, forgetOlder } from '../db/retention.ts'
import type { Services } from '../context/services.ts'

/** Names in the audit log come from these rows, so they stay for as long as its records. */
const namedByRecords: ReadonlySet<string> = new Set(['silo', 'project', 'silo_user', 'silo_group'])

/** The tables whose rows are marked when they are deleted. */
export const markedTables = Object.entries(kinds)
  .filter(([, { hardDelete }]) => !hardDelete)
  .map(([table]) => table as TrackedName)

/** Removes the rows of objects that were deleted long ago. */
export async function forgetDeletedRows(services: Services): Promise<void> {
  const { audit, retention } = services.settings
  // What can still be restored stays, with everything that was deleted with it or after it.
  const oldest = await services.db
    .selectFrom('recycled')
    .select('time_deleted')
    .orderBy('time_deleted')
    .limit(1)
    .executeTakeFirst()
  // Its rows were deleted shortly before it was put into the bin.
  const kept = (oldest?.time_deleted.getTime() ?? Infinity) - dayMs
  for (const table of markedTables) {
    const days = namedByRecords.has(table)
      ? Math.max(retention.deleted_days, audit.retention_days)
      : retention.deleted_days
    const old = daysAgo(services, days)
    const before = new Date(Math.min(old.getTime(), kept))
    await forgetOlder(services, { table, time: 'time_deleted', before })
  }
}
