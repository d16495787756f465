import { splitBytes } from '@gantry/api/bytes.rules'
import { OutOfSpace } from '@gantry/control-plane/blocks/block-store'
import { volumeOf } from './free-space.ts'

/** Codes for no space or no quota, and PostgreSQL's for either. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', '53100'])
const fullWords = /no space left on device|disk quota exceeded/i

/** Whether a full volume is the cause of an error, at any depth. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as NodeJS.ErrnoException
  return (
    error instanceof OutOfSpace || fullCodes.has(code) || fullWords.test(error.message) || isFull(error.cause)
  )
}

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
