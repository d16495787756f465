import type { DatabaseConnection, Dialect, Driver } from 'kysely'

export interface Counted {
  dialect: Dialect
  /** Runs the work and returns the statements it sent, including those that begin and end transactions. */
  during: (work: () => Promise<unknown>) => Promise<string[]>
}

/** A dialect that records statements. Background loops send some too, so use a test bed without them. */
export function countedStatements(dialect: Dialect): Counted {
  let sent: string[] = []
  return {
    dialect: withNote(dialect, (text) => void sent.push(text)),
    during: async (work) => {
      sent = []
      await work()
      return sent
    },
  }
}

/** A dialect that tells of each statement before it is sent. */
export const withNote = (dialect: Dialect, note: (text: string) => void): Dialect => ({
  createAdapter: () => dialect.createAdapter(),
  createIntrospector: (db) => dialect.createIntrospector(db),
  createQueryCompiler: () => dialect.createQueryCompiler(),
  createDriver: () => noting(dialect.createDriver(), note),
})

function noting(driver: Driver, note: (text: string) => void): Driver {
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
        executeQuery: (query) => {
          note(query.sql)
          return inner.executeQuery(query)
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
