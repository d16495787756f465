import { isDamage } from '../db/damage.ts'
import { DatabaseUnreachable } from '../db/unreachable.ts'
import { fullRefusal } from '../context/out-of-space.ts'
import { insufficient, Refusal, unavailable } from '../context/refusal.ts'

/**
 * SQLSTATE class 54, `program_limit_exceeded`; the embedded database raises the same for a result above 64
 * MiB.
 */
const tooMuch = /^54...$/

/** The refusal for a failure of the database; undefined for any other error. */
export function databaseRefusal(error: unknown): Refusal | undefined {
  if (error instanceof DatabaseUnreachable)
    return unavailable(
      'The database did not respond. Check whether the change was made before you try again.',
    )
  // No `Retry-After`: retrying cannot repair a damaged file.
  if (isDamage(error)) return new Refusal('ServiceNotAvailable', 'Service Unavailable', { help: damageHelp })
  const { code } = (error ?? {}) as { code?: unknown }
  if (typeof code === 'string' && tooMuch.test(code))
    return insufficient('this request exceeds what the database can handle at once', {
      help: 'Request a smaller page, or fewer objects at once.',
    })
  return fullRefusal(error)
}

const damageHelp =
  'A database file is damaged. Tell the operator: the log names the file, and a backup must be restored.'

/** The log message for a failed request, besides the error itself. */
export const failureWords = (error: unknown): string =>
  isDamage(error)
    ? 'a request failed because a file of the database is damaged: stop the server and restore a backup into a new data directory with gantry restore'
    : 'a request failed'
