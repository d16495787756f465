import { OutOfSpace } from '../../blocks/block-store.ts'
import type { Services } from '../../kernel/cx.ts'
import { insufficient, unavailable } from '../../kernel/refusal.ts'

/** Writes bytes that a person sent; what keeps the store from taking them is told. */
export async function writeBytes(
  { blocks }: Services,
  contentId: string,
  offset: number,
  bytes: Uint8Array,
): Promise<void> {
  try {
    await blocks.write(contentId, offset, bytes)
  } catch (error) {
    if (error instanceof OutOfSpace)
      throw insufficient('Not enough storage', {
        help: 'Delete disks, snapshots and images, or add storage.',
      })
    // The job that makes the object has not come round to it yet.
    if ((await blocks.size(contentId)) === undefined)
      throw unavailable('The storage is still being prepared.')
    throw error
  }
}
