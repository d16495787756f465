import { DatabaseUnreachable } from '@gantry/control-plane/db/unreachable'

/** A failure that the operator can fix, as a sentence. */
export class Problem extends Error {}

/** The failure of a step whose errors are meant for operators. */
export async function sentence<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (cause) {
    throw cause instanceof Problem ? cause : new Problem((cause as Error).message, { cause })
  }
}

/** A database that went away is for the operator to see to. Other errors stay unchanged. */
export const reachable = (error: unknown): unknown =>
  error instanceof DatabaseUnreachable
    ? new Problem(`The database cannot be reached (${error.message}). See that it runs, and try again.`, {
        cause: error,
      })
    : error

/** No space, no quota, or a limit on file size. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
/** No permission to write. */
const closedCodes = new Set(['EACCES', 'EPERM', 'EROFS'])
/** A file where a folder should be. */
const noFolderCodes = new Set(['EEXIST', 'ENOTDIR'])

/** Runs work that fills `place`, and explains failures for lack of space, permission or a folder. */
export async function filling<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    if (fullCodes.has(code)) {
      throw new Problem(
        `There is not enough space for ${place}, and nothing was written. Free space, or name another place. (${message})`,
        { cause },
      )
    }
    if (closedCodes.has(code)) {
      throw new Problem(`${place} cannot be written (${message}). Run this as the user whom it belongs to.`, {
        cause,
      })
    }
    if (noFolderCodes.has(code)) {
      throw new Problem(
        `${place} cannot be written: a file is where a folder should be (${message}). Name another place.`,
        { cause },
      )
    }
    throw cause
  }
}
