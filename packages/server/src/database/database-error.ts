import type { ErrorFields } from './pglite/messages.ts'

/** What the embedded database refused, with the same fields that `pg` gives: `code`, `constraint`, `detail`. */
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
 * A commit after a swallowed error is answered by a rollback and no error: what the caller believes kept is
 * gone. SQLSTATE 25P02 is what PostgreSQL says of every other statement in that state.
 */
export function commitWasRollback(): DatabaseError {
  return new DatabaseError({
    message: 'the transaction had failed before, so nothing of it was committed',
    code: '25P02',
    severity: 'ERROR',
  })
}

/**
 * What PostgreSQL says as it goes down or comes up (57P), of connections (08), when it takes no more (53300), and of a
 * connection that it ended because its transaction did nothing for long (25P03).
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
/** `pg` has no codes for what it says itself. */
const goneWords =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection|Query read timeout)/

/** `query_canceled`: the server ended a statement at the limit of time that its session has. */
export const isTooSlow = (error: unknown): boolean => (error as { code?: string }).code === '57014'

/** The database itself is out of reach, rather than displeased with a statement. */
export function isConnectionLost(error: unknown): boolean {
  const { code = '', message } = error as { code?: string; message: string }
  return goneCodes.test(code) || socketCodes.has(code) || goneWords.test(message)
}
