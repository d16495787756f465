import { sql } from 'kysely'
import type { TaskSource } from '../tasks/source.ts'

/** Sleds that are removed for good, until nothing runs on them. */
export const sledRemovalTasks: TaskSource = {
  kind: 'sled',
  open: sql`SELECT id FROM sled WHERE time_deleted IS NULL AND policy = 'expunged' AND state <> 'decommissioned'`,
  read: async (cx, begun) => {
    const ids = begun.map(({ object_id }) => object_id)
    if (ids.length === 0) return new Map()
    const rows = await cx.db
      .selectFrom('sled')
      .select(['id', 'serial', 'state', 'time_modified'])
      .where('id', 'in', ids)
      .execute()
    const sleds = new Map(rows.map((row) => [row.id, row]))
    return new Map(
      begun.flatMap(({ id, object_id }) => {
        const sled = sleds.get(object_id)
        if (!sled) return []
        const isDone = sled.state === 'decommissioned'
        return [
          [
            id,
            {
              verb: 'remove',
              object: { kind: 'sled', id: sled.id, name: sled.serial },
              state: isDone ? 'finished' : 'running',
              time_ended: isDone ? sled.time_modified : null,
            },
          ],
        ]
      }),
    )
  },
}
