import type { FailureReason } from '@gantry/api/extensions'
import type { TaskState } from '@gantry/api/history/task.rules'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'
import { failedStates } from '../../change/activity.ts'
import { type PendingKind, pendingStates, stateIn } from '../../change/task.ts'
import type { Row, TrackedName } from '../../db/tables.ts'
import { large } from '../history/member.ts'
import type { Begun, TaskSource, Told } from './source.ts'

/** How the work of an object ended, or undefined while it is pending. */
export type Ending = Pick<Row<'change'>, 'time' | 'op' | 'operation' | 'after'> | undefined

interface ObjectWork {
  kind: PendingKind
  table: TrackedName
  /** The column with the id of what else takes part, such as the disk of a snapshot. */
  of?: string
  told: (cx: Cx, works: readonly { begun: Begun; ending: Ending }[]) => Promise<Told[]>
}

/** Tasks of objects whose state says what they are doing. */
export function objectTasks({ kind, table, of, told }: ObjectWork): TaskSource {
  const states = pendingStates[kind]
  const column = sql.ref(table === 'instance' ? 'run_state' : 'state')
  // Constants, as in the index.
  const any = sql.join(states.map((state) => sql.lit(state)))
  const open = sql`SELECT id FROM ${sql.table(table)} WHERE time_deleted IS NULL AND ${column} IN (${any})`
  return {
    kind,
    open,
    ...(of && {
      with: (objectId) => sql`${open} AND ${objectId}::uuid IN (id, ${sql.ref(of)})`,
    }),
    read: async (cx, begun) => {
      const endings = await endingsOf(cx, begun, states)
      const works = begun.map((one) => ({ begun: one, ending: endings.get(one.id) }))
      const all = await told(cx, works)
      return new Map(begun.flatMap(({ id }, at) => (all[at] ? [[id, all[at]]] : [])))
    },
  }
}

/** The first later record of each object in which it has no pending work. */
async function endingsOf(
  cx: Cx,
  begun: readonly Begun[],
  states: readonly string[],
): Promise<Map<string, NonNullable<Ending>>> {
  if (begun.length === 0) return new Map()
  const { rows } = await sql<{ id: string } & NonNullable<Ending>>`
    SELECT asked.id, found.* FROM unnest(${begun.map(({ id }) => id)}::uuid[],
      ${begun.map(({ object_id }) => object_id)}::uuid[], ${begun.map(({ generation }) => generation)}::int8[])
      asked (id, object_id, generation)
    CROSS JOIN LATERAL (
      SELECT c.time, c.op, c.operation, c.after - ${large}::text[] AS after FROM change c
      WHERE c.object_id = asked.object_id AND c.generation > asked.generation
        AND coalesce(c.after->>'run_state', c.after->>'state', '') <> ALL (${states}::text[])
      ORDER BY c.generation LIMIT 1
    ) found`.execute(cx.db)
  return new Map(rows.map(({ id, ...ending }) => [id, ending]))
}

/** The state of work that is to end in one of these states, and why it failed. */
export function outcomeOf(
  ending: Ending,
  wanted: readonly string[],
): { state: TaskState; time_ended: Date | null; failure: FailureReason | null } {
  if (!ending) return { state: 'running', time_ended: null, failure: null }
  const state = stateIn(ending.after)
  const failure = (ending.after?.failure ?? null) as FailureReason | null
  const { time: time_ended } = ending
  if (wanted.includes(String(state))) return { state: 'finished', time_ended, failure: null }
  if (failedStates.has(state) || failure) return { state: 'failed', time_ended, failure }
  return { state: 'cancelled', time_ended, failure: null }
}
