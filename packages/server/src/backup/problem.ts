/** What a person can do something about, as the sentence that they read. */
export class Problem extends Error {}

/** No room, no quota, or a limit on the size of files. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
/** Nobody is let in there. */
const closedCodes = new Set(['EACCES', 'EPERM', 'EROFS'])

/** Runs work that fills `place`, and says so when nothing more fits there or nothing may be written. */
export async function filling<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    if (fullCodes.has(code)) {
      throw new Problem(
        `There is not enough space for ${place}, and nothing of it was kept. Make room, or name another place. (${message})`,
        { cause },
      )
    }
    if (closedCodes.has(code)) {
      throw new Problem(`${place} cannot be written (${message}). Run this as the user whom it belongs to.`, {
        cause,
      })
    }
    throw cause
  }
}
