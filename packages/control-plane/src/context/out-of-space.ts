import { shownBytes } from '@gantry/api/base/bytes.rules'
import { OutOfSpace } from '../blocks/block-store.ts'
import { insufficient, type Refusal } from './refusal.ts'

/** Error codes of file systems without space or quota, and of PostgreSQL (`disk_full`). */
const fullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** The refusal for a full medium, whichever component reported it; undefined for any other error. */
export function fullRefusal(error: unknown): Refusal | undefined {
  if (error instanceof OutOfSpace) return insufficient('Not enough storage', refused(error))
  if (!fullCodes.has((error as { code?: unknown } | undefined)?.code)) return undefined
  return insufficient('The volume of the database is full', {
    help: 'Delete unused resources, or ask the operator to free space on the volume of the server.',
  })
}

function refused({ space }: OutOfSpace) {
  const advice = 'Delete disks, snapshots and images, or ask the operator for more storage.'
  if (!space) return { help: advice }
  const { free, reserve } = space
  return {
    help: `${shownBytes(free)} are free, and ${shownBytes(reserve)} are reserved for the database. ${advice}`,
    details: { free_bytes: free, reserve_bytes: reserve },
  }
}
