import type { ErrorFields } from './pglite/messages.ts'

/** An error of the embedded database, with the same fields as in `pg`: `code`, `constraint`, `detail`. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  declare readonly code?: string
  declare readonly severity?: string
  declare readonly constraint?: string
  declare readonly detail?: string

  constructor({ message, ...fields }: ErrorFields) {
    super(message)
    for (const [field, value] of Object.entries(fields)) {
      if (value !== undefined) Object.defineProperty(this, field, { value, enumerable: true })
    }
  }
}

/**
 * After a swallowed error, PostgreSQL answers a commit with a rollback and no error, so the caller's writes
 * would be silently lost. SQLSTATE 25P02 is its error for every other statement in that state.
 */
export function commitWasRollback(): DatabaseError {
  return new DatabaseError({
    message: 'the transaction had failed before, so nothing was committed',
    code: '25P02',
    severity: 'ERROR',
  })
}

/**
 * PostgreSQL's codes for shutdown and start-up (57P), connection failures (08), too many connections (53300),
 * and a transaction ended for idling too long (25P03).
 */
const goneCodes = /^(57P0[1-4]|08...|53300|25P03)$/
const socketCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
])
/** Errors raised by `pg` itself have no codes. */
const goneWords =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection|Query read timeout)/

/** `query_canceled`: the server ended a statement at the session's time limit. */
export const isTooSlow = (error: unknown): boolean => (error as { code?: string }).code === '57014'

/** Whether the database itself is unreachable, rather than rejecting a statement. */
export function isConnectionLost(error: unknown): boolean {
  const { code = '', message } = error as { code?: string; message: string }
  return goneCodes.test(code) || socketCodes.has(code) || goneWords.test(message)
}
