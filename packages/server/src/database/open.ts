import type { Dialect } from 'kysely'
import { openPglite } from './pglite/open-pglite.ts'
import { openPostgres } from './postgres.ts'

export interface OpenDatabase {
  dialect: Dialect
  kind: 'pglite' | 'postgres'
  /** Waits for running work. Destroying the Kysely instance does the same; doing both is harmless. */
  close: () => Promise<void>
}

export type DatabasePlace = { dataDir: string } | { url: string }

export interface DatabaseEvents {
  /** The embedded database is gone for good. Without a listener the process ends by an uncaught error. */
  onCrash?: (error: Error) => void
  /** A pooled connection broke while idle. The pool replaces it. */
  onConnectionLost?: (error: Error) => void
}

/** The embedded database of a data directory, or a PostgreSQL server. Errors are sentences for a person. */
export async function openDatabase(place: DatabasePlace, events: DatabaseEvents = {}): Promise<OpenDatabase> {
  const { onCrash = throwOutside, onConnectionLost = () => {} } = events
  if ('url' in place) return { kind: 'postgres', ...(await openPostgres(place.url, onConnectionLost)) }
  const { dialect, close } = await openPglite({ dataDir: place.dataDir, onCrash })
  return { kind: 'pglite', dialect, close }
}

/** Nobody awaits a crash, so it is raised where only the process's own handler can catch it. */
function throwOutside(error: Error): void {
  setImmediate(() => {
    throw error
  })
}
