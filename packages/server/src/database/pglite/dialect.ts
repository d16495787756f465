import { PostgresDialect, type Dialect, type PostgresPoolClient } from 'kysely'
import { commitWasRollback } from '../database-error.ts'
import { turns } from './turns.ts'
import type { SupervisedWorker } from './supervised-worker.ts'
import type { WorkerClient } from './worker-client.ts'

/** Long enough for any real queue, short enough that a request waiting on itself fails instead of hanging. */
const WAIT_MS = 60_000

export interface PgliteDialect {
  dialect: Dialect
  /** Waits for its turn, then runs alone: for maintenance outside transactions. */
  exclusively: Exclusively
}

export type Exclusively = <T>(work: (worker: WorkerClient) => Promise<T>) => Promise<T>

/**
 * Kysely's own PostgreSQL dialect over a pool of one: the worker's connection. A transaction holds it, and
 * everyone else queues. Each worker has its own client: after a crash, the rest of a transaction fails and
 * never runs on the next worker.
 */
export function pgliteDialect(supervised: SupervisedWorker, close: () => Promise<void>): PgliteDialect {
  const { acquire, release } = turns(WAIT_MS)
  const clients = new WeakMap<WorkerClient, PostgresPoolClient>()
  const hold = async (): Promise<WorkerClient> => {
    await acquire()
    return supervised.current()
  }
  const pool = {
    async connect() {
      const worker = await hold()
      const client = clients.get(worker) ?? ({ query: queryThrough(worker), release } as PostgresPoolClient)
      clients.set(worker, client)
      return client
    },
    end: close,
  }
  return {
    dialect: new PostgresDialect({ pool }),
    async exclusively(work) {
      const worker = await hold()
      try {
        return await work(worker)
      } finally {
        release()
      }
    },
  }
}

/** The only form of `query` that the dialect uses, apart from cursors, which a pool of one never opens. */
function queryThrough(worker: WorkerClient) {
  return async (sql: string, parameters: readonly unknown[]) => {
    const { rows, command, count } = await worker.query(sql, parameters)
    if (sql === 'commit' && command === 'ROLLBACK') throw commitWasRollback()
    return { rows, command, rowCount: count ?? 0 }
  }
}
