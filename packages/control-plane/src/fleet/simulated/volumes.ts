import type { BlockStore } from '../../blocks/block-store.ts'
import type { Volumes } from '../fleet.ts'

/** Simulated guests write nothing, so that their disks are objects of the block store as well. */
export const blockVolumes = (blocks: BlockStore): Volumes => ({
  create: (id, size, from) => blocks.create(id, size, from),
  size: (id) => blocks.size(id),
  grow: (id, size) => blocks.grow(id, size),
  growsLive: true,
  write: (id, offset, bytes) => blocks.write(id, offset, bytes),
  snapshot: (id, { content_id, size }) => blocks.create(content_id, size, id),
  snapshotsLive: true,
  needRoomFor: (id) => blocks.needRoomFor(id),
  remove: (id) => blocks.remove(id),
})
