import type { PGlite } from '@electric-sql/pglite'
import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'
import { type Cluster, namedStatements } from './named-statements.js'

export type InProcess = Cluster & Pick<PGlite, 'close'>

/** int8 values beyond the safe integers would be wrong; nothing here counts that far. */
const INT8 = 20

/**
 * Kysely's PostgreSQL dialect over a PGlite in the same process, for the browser and for tests. There is one
 * connection, so a transaction holds it and everything else queues.
 */
export function inProcessPglite(database: InProcess): Dialect {
  let turn: Promise<void> = Promise.resolve()
  database.parsers[INT8] = Number
  const query = namedStatements(database)
  return new PostgresDialect({
    pool: {
      async connect() {
        const before = turn
        let leave = (): void => undefined
        turn = new Promise((resolve) => {
          leave = resolve
        })
        await before
        return { query, release: () => leave() } as unknown as PostgresPoolClient
      },
      end: () => database.close(),
    },
  })
}
