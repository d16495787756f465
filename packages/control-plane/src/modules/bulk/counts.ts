import { sql } from 'kysely'
import type { Reader } from '@gantry/control-plane/db/database'

/** The code of the error of an item that was cancelled before its turn. */
export const cancelledCode = 'Cancelled'

export interface ItemCounts {
  done: number
  running: number
  failed: number
  total: number
}

/** How the items of each action are doing. Those that were cancelled are neither done nor failed. */
export const itemCounts = (db: Pick<Reader, 'getExecutor'>, ids: readonly string[]) =>
  sql<ItemCounts & { id: string }>`
    SELECT action_id AS id, count(*)::int4 AS total, count(*) FILTER (WHERE state = 'done')::int4 AS done,
      count(*) FILTER (WHERE state = 'under_way')::int4 AS running,
      count(*) FILTER (WHERE state = 'failed' AND error->>'code' IS DISTINCT FROM ${cancelledCode})::int4 AS failed
    FROM instance_action_item WHERE action_id = ANY (${ids}::uuid[]) GROUP BY action_id`.execute(db)
