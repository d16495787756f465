import type { ByteRange } from '@gantry/api/storage/image-upload.rules'
import type { BlockStore } from '../../blocks/block-store.ts'
import { fullRefusal } from '../../context/out-of-space.ts'
import type { Services } from '../../context/services.ts'
import { withSpace } from '../recycle-bin/give-way.ts'
import { unavailable } from '../../context/refusal.ts'

/** Writes a caller's bytes; failures of the store become refusals. */
export const writeBytes = (
  services: Services,
  store: Pick<BlockStore, 'size' | 'write'>,
  contentId: string,
  offset: number,
  bytes: Uint8Array,
): Promise<void> => explained(services, store, contentId, () => store.write(contentId, offset, bytes))

export const zeroBytes = (
  services: Services,
  store: Pick<BlockStore, 'size' | 'zero'>,
  contentId: string,
  { offset, length }: ByteRange,
): Promise<void> => explained(services, store, contentId, () => store.zero(contentId, offset, length))

async function explained(
  services: Services,
  store: Pick<BlockStore, 'size'>,
  contentId: string,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await withSpace(services, write)
  } catch (error) {
    const full = fullRefusal(error)
    if (full) throw full
    // The job that creates the object has not run yet.
    if ((await store.size(contentId)) === undefined) throw unavailable('The storage is still being prepared.')
    throw error
  }
}
