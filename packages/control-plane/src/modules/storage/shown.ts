import type { Services } from '../../kernel/services.ts'
import type { Reader } from '../../db/database.ts'
import { fullRefusal } from '../../kernel/out-of-space.ts'

/**
 * Tables that may refer to bytes; a snapshot and its images share them, and so do an upload and its image.
 */
const showing = ['disk', 'snapshot', 'image'] as const

/**
 * Whether anything refers to these bytes. Once nothing does, nothing will: new references are only ever
 * copied from existing ones.
 */
export async function isShown({ db }: { db: Reader }, contentId: string): Promise<boolean> {
  for (const table of showing) {
    const row = await db
      .selectFrom(table as 'image')
      .select('id')
      .where('content_id', '=', contentId)
      .where('time_deleted', 'is', null)
      .executeTakeFirst()
    if (row) return true
  }
  const upload = await db
    .selectFrom('image_upload')
    .select('id')
    .where('content_id', '=', contentId)
    .where('time_deleted', 'is', null)
    .where('state', 'in', ['open', 'completing'])
    .executeTakeFirst()
  if (upload) return true
  const bundle = await db
    .selectFrom('support_bundle')
    .select('id')
    .where('content_id', '=', contentId)
    .where('time_deleted', 'is', null)
    .where('state', 'in', ['collecting', 'active'])
    .executeTakeFirst()
  return bundle !== undefined
}

/** Refuses to copy bytes without enough free space; a copy that runs out of space later fails by itself. */
export async function refuseWithoutRoom(
  { blocks }: Pick<Services, 'blocks'>,
  contentId: string,
): Promise<void> {
  await blocks.needRoomFor(contentId).catch((error: unknown) => {
    throw fullRefusal(error) ?? error
  })
}

/**
 * Creates bytes, and removes them again if their object was deleted meanwhile: a job that is rerun after a
 * crash may run long after its object's bytes were removed.
 */
export async function createShown(
  services: Pick<Services, 'db' | 'blocks'>,
  { content_id, size, from }: { content_id: string; size: number; from?: string | undefined },
): Promise<void> {
  await services.blocks.create(content_id, size, from)
  if (!(await isShown(services, content_id))) await services.blocks.remove(content_id)
}
