import { splitBytes } from '@gantry/api/base/bytes.rules'
import { OutOfSpace } from '@gantry/control-plane/blocks/block-store'
import { volumeOf } from './free-space.ts'

/** PostgreSQL's code for no space and no quota. */
const databaseCode = '53100'
const fullCodes = new Set(['ENOSPC', 'EDQUOT', databaseCode])
const fullWords = /no space left on device|disk quota exceeded/i

/** Whether a full volume is the cause of an error, at any depth. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as NodeJS.ErrnoException
  return (
    error instanceof OutOfSpace || fullCodes.has(code) || fullWords.test(error.message) || isFull(error.cause)
  )
}

/** Whether the database reported it. A PostgreSQL server's volume is not that of the data directory. */
export const isServerFull = (error: unknown): boolean =>
  error instanceof Error &&
  ((error as NodeJS.ErrnoException).code === databaseCode || isServerFull(error.cause))

export const fullServer =
  'The volume of the PostgreSQL server is full. Nothing was lost. Make room on it, and start again.'

/** Maps a file system's errors for lack of space to the store's. */
export const explainFull = (error: unknown): unknown =>
  isFull(error) && !(error instanceof OutOfSpace)
    ? new OutOfSpace('the file system is full', { cause: error })
    : error

/** The message for a start on a full volume. */
export async function fullVolume(dataDir: string): Promise<string> {
  const { free } = await volumeOf(dataDir).catch(() => ({ free: 0 }))
  const { value, unit } = splitBytes(free)
  return (
    `The volume of ${dataDir} is full: ${value.toFixed(1)} ${unit} are free. Nothing was lost. Make room on it, ` +
    'or move the data directory to a larger volume, and start again.'
  )
}
