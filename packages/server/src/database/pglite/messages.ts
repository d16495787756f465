/** Requests from the main thread to the worker that holds the database. Answers carry the request's id. */
export type Question =
  | { id: number; ask: 'query'; sql: string; parameters: readonly unknown[] }
  | { id: number; ask: 'fsyncs' }
  | { id: number; ask: 'fail fsyncs' }
  | { id: number; ask: 'run out of memory' }
  | { id: number; ask: 'close' }

/** A request before it has an id. */
export type Asked = Question extends infer Q ? (Q extends Question ? Omit<Q, 'id'> : never) : never

export interface Rows {
  rows: Record<string, unknown>[]
  /** The command as PostgreSQL named it: `SELECT`, `INSERT`, `ROLLBACK`. */
  command: string | undefined
  /** Rows affected by the command; undefined where that does not apply. */
  count: number | undefined
}

/**
 * The fields of PostgreSQL's error that callers branch on or log. Error objects lose them between threads.
 */
export interface ErrorFields {
  message: string
  code?: string | undefined
  severity?: string | undefined
  detail?: string | undefined
  hint?: string | undefined
  constraint?: string | undefined
  schema?: string | undefined
  table?: string | undefined
  column?: string | undefined
  position?: string | undefined
  where?: string | undefined
}

export type Answer = { id: number; result: unknown } | { id: number; error: ErrorFields } | 'ready'

export interface WorkerInput {
  directory: string
  /** A file that is removed when the database finds the disk full. */
  ballast?: string | undefined
  /** Counts the real calls of fsync, and makes them fail on demand. */
  underTest: boolean
}
