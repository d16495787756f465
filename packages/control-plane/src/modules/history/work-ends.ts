import type { ActivityOutcome } from '@gantry/api/history/activity.rules'
import { sql } from 'kysely'
import { failedStates } from '../../change/activity.ts'
import { stateIn } from '../../change/task.ts'
import type { Cx } from '../../context/cx.ts'
import type { Row } from '../../db/tables.ts'
import { large, type Member } from './member.ts'

/** States of objects with pending work. */
const passing = [
  'creating',
  'starting',
  'stopping',
  'rebooting',
  'migrating',
  'repairing',
  'converting',
  'verifying',
  'completing',
  'collecting',
  'destroying',
]

export interface WorkEnd {
  outcome: ActivityOutcome
  /** Null while the work is pending. */
  time: Date | null
  reason: string | null
}

/**
 * How the work ended that these changes began, by the first later record in which its object rests. Work that was
 * pending before them is not theirs.
 */
export async function endsOf(cx: Cx, leads: readonly Member[]): Promise<Map<string, WorkEnd>> {
  const begun = leads.filter(
    ({ before, after }) => passing.includes(String(stateIn(after))) && stateIn(before) !== stateIn(after),
  )
  if (begun.length === 0) return new Map()
  const { rows } = await sql<{ id: string } & Pick<Row<'change'>, 'time' | 'after'>>`
    SELECT asked.id, found.* FROM unnest(${begun.map(({ id }) => id)}::uuid[],
      ${begun.map(({ object_id }) => object_id)}::uuid[], ${begun.map(({ generation }) => generation)}::int8[])
      asked (id, object_id, generation)
    CROSS JOIN LATERAL (
      SELECT c.time, c.after - ${large}::text[] AS after FROM change c
      WHERE c.object_id = asked.object_id AND c.generation > asked.generation
        AND coalesce(c.after->>'run_state', c.after->>'state', '') <> ALL (${passing}::text[])
      ORDER BY c.generation LIMIT 1
    ) found`.execute(cx.db)
  const ends = new Map(rows.map((row) => [row.id, row]))
  return new Map(begun.map(({ id }) => [id, endOf(ends.get(id))]))
}

function endOf(end: Pick<Row<'change'>, 'time' | 'after'> | undefined): WorkEnd {
  if (!end) return { outcome: 'under_way', time: null, reason: null }
  const { time, after } = end
  if (!failedStates.has(stateIn(after))) return { outcome: 'done', time, reason: null }
  const failure = after?.failure as { message?: string } | null | undefined
  return { outcome: 'failed', time, reason: failure?.message ?? null }
}
