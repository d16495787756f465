import type { ByteRange } from '@gantry/api/image-upload.rules'
import type { Services } from '../../kernel/services.ts'
import { fullRefusal } from '../../kernel/out-of-space.ts'
import { unavailable } from '../../kernel/refusal.ts'

/** Writes a caller's bytes; failures of the store become refusals. */
export const writeBytes = (
  services: Services,
  contentId: string,
  offset: number,
  bytes: Uint8Array,
): Promise<void> => explained(services, contentId, () => services.blocks.write(contentId, offset, bytes))

export const zeroBytes = (
  services: Services,
  contentId: string,
  { offset, length }: ByteRange,
): Promise<void> => explained(services, contentId, () => services.blocks.zero(contentId, offset, length))

async function explained({ blocks }: Services, contentId: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    const full = fullRefusal(error)
    if (full) throw full
    // The job that creates the object has not run yet.
    if ((await blocks.size(contentId)) === undefined)
      throw unavailable('The storage is still being prepared.')
    throw error
  }
}
