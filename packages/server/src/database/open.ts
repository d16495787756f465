import type { Dialect } from 'kysely'
import { openPglite } from './pglite/open-pglite.ts'
import { openPostgres } from './postgres.ts'

export interface OpenDatabase {
  dialect: Dialect
  kind: 'pglite' | 'postgres'
  /**
   * Sets the time limit of statements; 0, the default, means none. Ignored by the embedded database, which
   * has no timer.
   */
  limitStatements: (ms: number) => void
  /** Waits for running work. Destroying the Kysely instance does the same; doing both is harmless. */
  close: () => Promise<void>
}

export type DatabaseLocation = { dataDir: string } | { url: string }

export interface DatabaseOptions {
  /**
   * The embedded database has failed permanently. Without a listener, the process ends with an uncaught
   * error.
   */
  onCrash?: (error: Error) => void
  /** The embedded database has ended and restarts after `delayMs`. */
  onRestart?: (error: Error, delayMs: number) => void
  /** A pooled connection broke while idle. The pool replaces it. */
  onConnectionLost?: (error: Error) => void
  /**
   * How long a transaction on a PostgreSQL server may be idle before the server ends it; 0, the default,
   * means forever. Backups leave theirs idle while they write or read their file.
   */
  idleInTransactionMs?: number
}

/**
 * Opens the embedded database of a data directory, or a PostgreSQL server. Error messages are meant for
 * operators.
 */
export async function openDatabase(
  location: DatabaseLocation,
  options: DatabaseOptions = {},
): Promise<OpenDatabase> {
  const {
    onCrash = throwOutside,
    onRestart = () => {},
    onConnectionLost = () => {},
    idleInTransactionMs = 0,
  } = options
  if ('url' in location) {
    const limits = { statementMs: 0 }
    const limitStatements = (ms: number): void => void (limits.statementMs = ms)
    const opened = await openPostgres(location.url, onConnectionLost, idleInTransactionMs, limits)
    return { kind: 'postgres', ...opened, limitStatements }
  }
  const { dialect, close } = await openPglite({ dataDir: location.dataDir, onCrash, onRestart })
  return { kind: 'pglite', dialect, close, limitStatements: () => {} }
}

/** No code awaits a crash, so it is thrown where only the process's own handler can catch it. */
function throwOutside(error: Error): void {
  setImmediate(() => {
    throw error
  })
}
