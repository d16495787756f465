import { PostgresDialect, type Dialect, type PostgresPoolClient } from 'kysely'
import { commitWasRollback } from '../database-error.ts'
import { turns } from './turns.ts'
import type { WorkerClient } from './worker-client.ts'

/** Long enough for any real queue, short enough that a request waiting on itself is told rather than hung. */
const WAIT_MS = 60_000

export interface PgliteDialect {
  dialect: Dialect
  /** Waits for its turn, then runs alone: maintenance that no transaction may contain. */
  exclusively: <T>(work: () => Promise<T>) => Promise<T>
}

/**
 * Kysely's own PostgreSQL dialect over a pool of one: the worker's connection. A transaction holds it, and
 * everyone else queues.
 */
export function pgliteDialect(worker: WorkerClient, close: () => Promise<void>): PgliteDialect {
  const { acquire, release } = turns(WAIT_MS)
  const client = { query: queryThrough(worker), release } as PostgresPoolClient
  const pool = {
    async connect() {
      await acquire()
      return client
    },
    end: close,
  }
  return {
    dialect: new PostgresDialect({ pool }),
    async exclusively(work) {
      await acquire()
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

/** The one form of `query` that the dialect uses, but for cursors, which a pool of one could never have open. */
function queryThrough(worker: WorkerClient) {
  return async (sql: string, parameters: readonly unknown[]) => {
    const { rows, command, count } = await worker.query(sql, parameters)
    if (sql === 'commit' && command === 'ROLLBACK') throw commitWasRollback()
    return { rows, command, rowCount: count ?? 0 }
  }
}
