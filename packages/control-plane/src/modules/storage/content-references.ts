import type { BlockStore } from '../../blocks/block-store.ts'
import type { Services } from '../../context/services.ts'
import type { Reader } from '../../db/database.ts'
import { withSpace } from '../recycle-bin/give-way.ts'
import { fullRefusal } from '../../context/out-of-space.ts'

/**
 * Tables that may refer to bytes; a snapshot and its images share them, and so do an upload and its image.
 */
const referencing = ['disk', 'snapshot', 'image'] as const

/**
 * Whether anything refers to these bytes. Once nothing does, nothing will: new references are only ever
 * copied from existing ones.
 */
export async function isReferenced({ db }: { db: Reader }, contentId: string): Promise<boolean> {
  for (const table of referencing) {
    const row = await db
      .selectFrom(table as 'image')
      .select('id')
      .where('content_id', '=', contentId)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (row) return true
  }
  const recycled = await db
    .selectFrom('recycled')
    .select('id')
    .where('content_id', '=', contentId)
    .executeTakeFirst()
  if (recycled) return true
  const upload = await db
    .selectFrom('image_upload')
    .select('id')
    .where('time_deleted', 'is', null)
    .where((eb) =>
      eb.or([
        eb('content_id', '=', contentId).and('state', 'in', ['open', 'converting', 'completing']),
        eb('converted_content_id', '=', contentId).and('state', '=', 'converting'),
      ]),
    )
    .executeTakeFirst()
  if (upload) return true
  const bundle = await db
    .selectFrom('support_bundle')
    .select('id')
    .where('content_id', '=', contentId)
    .where('time_deleted', 'is', null)
    .where('state', 'in', ['collecting', 'active'])
    .executeTakeFirst()
  if (bundle) return true
  const repository = await db
    .selectFrom('update_upload')
    .select('id')
    .where('content_id', '=', contentId)
    .where('time_deleted', 'is', null)
    .where('state', 'in', ['open', 'checking'])
    .executeTakeFirst()
  return repository !== undefined
}

/** Refuses to copy bytes without enough free space; a copy that runs out of space later fails on its own. */
export async function refuseWithoutRoom(
  services: Services,
  store: Pick<BlockStore, 'needRoomFor'>,
  contentId: string,
): Promise<void> {
  await withSpace(services, () => store.needRoomFor(contentId)).catch((error: unknown) => {
    throw fullRefusal(error) ?? error
  })
}

interface NewContent {
  content_id: string
  size: number
  from?: string | undefined
}

/**
 * Creates bytes, and removes them again if their object was deleted meanwhile: a job that is rerun after a
 * crash may run long after its object's bytes were removed.
 */
export async function createContent(
  services: Services,
  { content_id, size, from }: NewContent,
): Promise<void> {
  const { db, blocks } = services
  await withSpace(services, () => blocks.create(content_id, size, from))
  if (!(await isReferenced({ db }, content_id))) await blocks.remove(content_id)
}

/** Likewise for a disk, whose bytes are the fleet's. */
export async function createVolume(
  services: Services,
  { content_id, size, from }: NewContent,
): Promise<void> {
  const { db, fleet, ending } = services
  await withSpace(services, () => fleet.volumes.create(content_id, size, from, ending))
  if (!(await isReferenced({ db }, content_id))) await fleet.volumes.remove(content_id)
}

/** Likewise for a snapshot of a disk. */
export async function createSnapshotOf(
  services: Services,
  volume: string,
  to: { content_id: string; size: number },
): Promise<void> {
  const { db, blocks, fleet, ending } = services
  await withSpace(services, () => fleet.volumes.snapshot(volume, to, ending))
  if (!(await isReferenced({ db }, to.content_id))) await blocks.remove(to.content_id)
}
