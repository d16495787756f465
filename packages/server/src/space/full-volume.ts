import { splitBytes } from '@gantry/api/bytes.rules'
import { OutOfSpace } from '@gantry/control-plane/blocks/block-store'
import { volumeOf } from './free-space.ts'

/** No room, no quota; and what PostgreSQL says of either. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', '53100'])
const fullWords = /no space left on device|disk quota exceeded/i

/** Whether something failed because a volume is full, however deep below. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as NodeJS.ErrnoException
  return (
    error instanceof OutOfSpace || fullCodes.has(code) || fullWords.test(error.message) || isFull(error.cause)
  )
}

/** What a start on a full volume is answered by. */
export async function fullVolume(dataDir: string): Promise<string> {
  const { free } = await volumeOf(dataDir).catch(() => ({ free: 0 }))
  const { value, unit } = splitBytes(free)
  return (
    `The volume of ${dataDir} is full: ${value.toFixed(1)} ${unit} are free. Nothing was lost. Make room on it, ` +
    'or move the data directory to a larger volume, and start again.'
  )
}
