import { shownBytes } from '@gantry/api/base/bytes.rules'
import { issueLimits } from '@gantry/api/system/system.rules'
import { sql } from 'kysely'
import { issueOf, percent, readLimit, touched, type IssueSource } from './issue.ts'

/** The used share of a host's storage. */
const used = sql<number>`(1 - storage_free::float8 / storage_size)`

/** Hosts whose volume fills up: disks take space as they are written, so their sizes say little. */
export const volumeIssues: IssueSource = {
  kind: 'filling_volume',
  open: async ({ db }) => {
    const rows = await db
      .selectFrom('sled')
      .select(['id', 'serial', 'storage_size', 'storage_free', used.as('used')])
      .where('storage_size', '>', 0)
      .where(sql<boolean>`${used} >= ${issueLimits.volumeShare}::float8`)
      .where('time_deleted', 'is', null)
      .where('policy', '=', 'in_service')
      .orderBy('used', 'desc')
      .orderBy('id')
      .limit(readLimit)
      .execute()
    return rows.map(({ id, serial, used: share, storage_size, storage_free }) =>
      issueOf('filling_volume', id, {
        severity: share >= issueLimits.volumeCriticalShare ? 'critical' : 'warning',
        since: null,
        message: `The volume of host ${serial} is ${percent(share)} full: ${shownBytes(storage_free ?? 0)} of ${shownBytes(storage_size ?? 0)} are free.`,
        next_step:
          'Delete unused disks, snapshots and images, or enlarge the volume. Machines are paused before it is full.',
        touches: [touched('sled', id, serial)],
      }),
    )
  },
}
