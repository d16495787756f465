import { sql } from 'kysely'
import { isPending, workKinds } from '../../change/task.ts'
import type { Cx } from '../../context/cx.ts'
import type { Row } from '../../db/tables.ts'

/** A change as the watch of notifications reads it. */
export type Seen = Pick<
  Row<'change'>,
  'id' | 'seq' | 'kind' | 'op' | 'object_id' | 'name' | 'time' | 'silo_id' | 'project_id' | 'actor' | 'action'
> &
  Pick<Row<'change'>, 'before' | 'after'>

const isOfTask = ({ kind, before, after }: Seen): boolean =>
  workKinds.has(kind) || isPending(kind, before) || isPending(kind, after)

/** The users who began the tasks that these changes begin, advance or end, each with the silo. */
export async function ownersOfTasks(cx: Cx, changes: readonly Seen[]): Promise<Map<string, string>> {
  const seen = changes.filter(isOfTask)
  if (seen.length === 0) return new Map()
  const { rows } = await sql<{ user: string; silo: string }>`
    SELECT DISTINCT found.actor->>'silo_user_id' AS user, found.actor->>'silo_id' AS silo
    FROM unnest(${seen.map(({ object_id }) => object_id)}::uuid[], ${seen.map(({ kind }) => kind)}::text[],
      ${seen.map(({ time }) => time)}::timestamptz[]) asked (id, kind, time)
    CROSS JOIN LATERAL (
      SELECT c.actor FROM change c
      WHERE c.object_id = asked.id AND c.task IS NOT NULL AND c.task = asked.kind AND c.time <= asked.time
      ORDER BY c.time DESC, c.id DESC LIMIT 1) found
    WHERE found.actor->>'kind' = 'silo_user'`.execute(cx.db)
  return new Map(rows.map(({ user, silo }) => [user, silo]))
}
