import { sql } from 'kysely'
import type { Row } from '@gantry/control-plane/db/tables'
import type { TaskSource, Told } from '@gantry/control-plane/modules/tasks/source'

interface Counts {
  done: number
  running: number
  /** Cannot leave for now. */
  waiting: number
  reason: string | null
  total: number
}

/** Sleds that instances are to leave. */
export const sledDrainTasks: TaskSource = {
  kind: 'sled-drain',
  open: sql`SELECT id FROM sled_drain WHERE state = 'running'`,
  read: async (cx, begun) => {
    const ids = begun.map(({ object_id }) => object_id)
    if (ids.length === 0) return new Map()
    const { rows } = await sql<Row<'sled_drain'> & Counts & { serial: string }>`
      SELECT drain.*, sled.serial, items.* FROM sled_drain drain JOIN sled ON sled.id = drain.sled_id
      CROSS JOIN LATERAL (
        SELECT count(*)::int4 AS total, count(*) FILTER (WHERE state IN ('moved', 'stopped', 'ended'))::int4 AS done,
          count(*) FILTER (WHERE state IN ('moving', 'stopping'))::int4 AS running,
          count(*) FILTER (WHERE state = 'pending' AND reason IS NOT NULL)::int4 AS waiting,
          min(reason) FILTER (WHERE state = 'pending') AS reason
        FROM sled_drain_item WHERE drain_id = drain.id
      ) items WHERE drain.id = ANY (${ids}::uuid[])`.execute(cx.db)
    const drains = new Map(rows.map((row) => [row.id, row]))
    return new Map(
      begun.flatMap(({ id, object_id }) => {
        const drain = drains.get(object_id)
        return drain ? [[id, toldOf(drain)]] : []
      }),
    )
  },
}

const endStates = { done: 'finished', cancelled: 'cancelled' } as const

function toldOf(drain: Row<'sled_drain'> & Counts & { serial: string }): Told {
  const { id, sled_id, serial, state, time_created, time_ended, done, running, waiting, reason, total } =
    drain
  const isStuck = state === 'running' && waiting > 0 && done + waiting === total
  return {
    verb: 'drain',
    object: { kind: 'sled', id: sled_id, name: serial },
    state: state !== 'running' ? endStates[state] : isStuck ? 'needs_attention' : 'running',
    time_ended,
    progress: { unit: 'objects', done, running, failed: 0, total },
    failure: isStuck
      ? {
          code: 'drain_stuck',
          message: `${waiting === 1 ? '1 instance cannot' : `${waiting} instances cannot`} leave the sled: ${reason}`,
          next_step: 'Stop them, or free capacity on other sleds.',
          details: null,
          time: time_created.toISOString(),
        }
      : null,
    actions: state === 'running' ? [{ action: 'cancel', operation: 'sled_drain_cancel', target: id }] : [],
  }
}
