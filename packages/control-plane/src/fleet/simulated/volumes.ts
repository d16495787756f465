import type { BlockStore } from '../../blocks/block-store.ts'
import type { GuestAgents } from '../guest-agents.ts'
import type { VolumeCopy, Volumes } from '../fleet.ts'

/** Simulated guests write nothing, so that their disks are objects of the block store as well. */
export const blockVolumes = (blocks: BlockStore, agents: GuestAgents): Volumes => ({
  create: (id, size, from) => blocks.create(id, size, from),
  size: (id) => blocks.size(id),
  occupied: (id) => blocks.occupied(id),
  grow: (id, size) => blocks.grow(id, size),
  growsLive: true,
  write: (id, offset, bytes) => blocks.write(id, offset, bytes),
  snapshot: (id, { content_id, size }) => blocks.create(content_id, size, id),
  async snapshotTogether(copies, { machine } = {}) {
    if (await haveAll(blocks, copies)) return { wasFrozen: false }
    for (const { content_id } of copies) await blocks.remove(content_id)
    // Only machines write to disks that are attached, and these write nothing, so that the order does not matter.
    const copy = async (): Promise<void> => {
      for (const { from, content_id, size } of copies) await blocks.create(content_id, size, from)
    }
    if (machine !== undefined) return agents.whileFrozen(machine, copy)
    await copy()
    return { wasFrozen: false }
  },
  snapshotsLive: true,
  needRoomFor: (id) => blocks.needRoomFor(id),
  remove: (id) => blocks.remove(id),
})

/** Whether the block store has every copy. */
export async function haveAll(
  blocks: Pick<BlockStore, 'size'>,
  copies: readonly VolumeCopy[],
): Promise<boolean> {
  for (const { content_id } of copies) if ((await blocks.size(content_id)) === undefined) return false
  return true
}
