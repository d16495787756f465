import type { ByteRange } from '@gantry/api/image-upload.rules'
import type { Services } from '../../kernel/cx.ts'
import { fullRefusal } from '../../kernel/out-of-space.ts'
import { unavailable } from '../../kernel/refusal.ts'

/** Writes bytes that a person sent; what keeps the store from taking them is told. */
export const writeBytes = (
  services: Services,
  contentId: string,
  offset: number,
  bytes: Uint8Array,
): Promise<void> => told(services, contentId, () => services.blocks.write(contentId, offset, bytes))

export const zeroBytes = (
  services: Services,
  contentId: string,
  { offset, length }: ByteRange,
): Promise<void> => told(services, contentId, () => services.blocks.zero(contentId, offset, length))

async function told({ blocks }: Services, contentId: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    const full = fullRefusal(error)
    if (full) throw full
    // The job that makes the object has not come round to it yet.
    if ((await blocks.size(contentId)) === undefined)
      throw unavailable('The storage is still being prepared.')
    throw error
  }
}
