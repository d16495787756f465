import type { Dialect } from 'kysely'
import { openPglite } from './pglite/open-pglite.ts'
import { openPostgres } from './postgres.ts'

export interface OpenDatabase {
  dialect: Dialect
  kind: 'pglite' | 'postgres'
  /** From now on no statement may take longer; 0, as at the beginning, lets them. The embedded database has no clock. */
  limitStatements: (ms: number) => void
  /** Waits for running work. Destroying the Kysely instance does the same; doing both is harmless. */
  close: () => Promise<void>
}

export type DatabasePlace = { dataDir: string } | { url: string }

export interface DatabaseOptions {
  /** The embedded database is gone for good. Without a listener the process ends by an uncaught error. */
  onCrash?: (error: Error) => void
  /** The embedded database has ended and is started again, after so long. */
  onRestart?: (error: Error, delayMs: number) => void
  /** A pooled connection broke while idle. The pool replaces it. */
  onConnectionLost?: (error: Error) => void
  /**
   * How long a transaction on a PostgreSQL server may go without a statement before the server ends it; 0, which is
   * what is taken, lets it. Backups do nothing for long in theirs, while they write or read their file.
   */
  idleInTransactionMs?: number
}

/** The embedded database of a data directory, or a PostgreSQL server. Errors are sentences for a person. */
export async function openDatabase(
  place: DatabasePlace,
  options: DatabaseOptions = {},
): Promise<OpenDatabase> {
  const {
    onCrash = throwOutside,
    onRestart = () => {},
    onConnectionLost = () => {},
    idleInTransactionMs = 0,
  } = options
  if ('url' in place) {
    const limits = { statementMs: 0 }
    const limitStatements = (ms: number): void => void (limits.statementMs = ms)
    const opened = await openPostgres(place.url, onConnectionLost, idleInTransactionMs, limits)
    return { kind: 'postgres', ...opened, limitStatements }
  }
  const { dialect, close } = await openPglite({ dataDir: place.dataDir, onCrash, onRestart })
  return { kind: 'pglite', dialect, close, limitStatements: () => {} }
}

/** Nobody awaits a crash, so it is raised where only the process's own handler can catch it. */
function throwOutside(error: Error): void {
  setImmediate(() => {
    throw error
  })
}
