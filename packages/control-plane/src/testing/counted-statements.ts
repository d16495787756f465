import type { DatabaseConnection, Dialect, Driver } from 'kysely'

export interface Counted {
  dialect: Dialect
  /** Runs the work and returns the statements it sent, including those that begin and end transactions. */
  during: (work: () => Promise<unknown>) => Promise<string[]>
  /** The rows that they returned. */
  rows: () => number
}

/** A dialect that records statements. Background loops send some too, so use a test bed without them. */
export function countedStatements(dialect: Dialect): Counted {
  let sent: string[] = []
  let rows = 0
  return {
    dialect: withNote(
      dialect,
      (text) => void sent.push(text),
      (count) => void (rows += count),
    ),
    during: async (work) => {
      sent = []
      rows = 0
      await work()
      return sent
    },
    rows: () => rows,
  }
}

type Note = (text: string, parameters: readonly unknown[]) => void

/** A dialect that tells of each statement before it is sent, and of the rows that it returned. */
export const withNote = (
  dialect: Dialect,
  note: Note,
  noteRows: (count: number) => void = () => {},
): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createDriver: () => noting(dialect.createDriver(), note, noteRows),
})

function noting(driver: Driver, note: Note, noteRows: (count: number) => void): Driver {
  const wrapped = new WeakMap<DatabaseConnection, DatabaseConnection>()
  const innerOf = (connection: DatabaseConnection): DatabaseConnection => {
    const inner = wrapped.get(connection)
    if (!inner) throw new Error('a connection of another driver')
    return inner
  }
  return {
    init: () => driver.init(),
    destroy: () => driver.destroy(),
    acquireConnection: async () => {
      const inner = await driver.acquireConnection()
      const connection: DatabaseConnection = {
        executeQuery: async (query) => {
          note(query.sql, query.parameters)
          const result = await inner.executeQuery<never>(query)
          noteRows(result.rows.length)
          return result
        },
        streamQuery: (query, chunkSize) => inner.streamQuery(query, chunkSize),
      }
      wrapped.set(connection, inner)
      return connection
    },
    releaseConnection: (connection) => driver.releaseConnection(innerOf(connection)),
    beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
    commitTransaction: (connection) => driver.commitTransaction(connection),
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
  }
}
