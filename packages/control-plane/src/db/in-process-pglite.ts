import type { PGlite } from '@electric-sql/pglite'
import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely'

/** int8 values beyond the safe integers would be wrong; nothing here counts that far. */
const INT8 = 20

/**
 * Kysely's PostgreSQL dialect over a PGlite in the same process, for the browser and for tests. There is one
 * connection, so a transaction holds it and everything else queues.
 */
export function inProcessPglite(database: Pick<PGlite, 'query' | 'close'>): Dialect {
  let turn: Promise<void> = Promise.resolve()
  return new PostgresDialect({
    pool: {
      async connect() {
        const before = turn
        let leave = (): void => undefined
        turn = new Promise((resolve) => {
          leave = resolve
        })
        await before
        return { query: queryThrough(database), release: () => leave() } as PostgresPoolClient
      },
      end: () => database.close(),
    },
  })
}

const queryThrough =
  (database: Pick<PGlite, 'query'>) => async (text: string, parameters: readonly unknown[]) => {
    const { rows, affectedRows } = await database.query(text, [...parameters], {
      parsers: { [INT8]: Number },
    })
    const command = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? ''
    return { rows, command, rowCount: affectedRows ?? rows.length }
  }
