import type { ErrorFields } from './pglite/messages.ts'

/** What the embedded database refused, with the same fields that `pg` gives: `code`, `constraint`, `detail`. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  declare readonly code?: string
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
