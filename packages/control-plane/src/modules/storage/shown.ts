import type { Reader, Services } from '../../kernel/cx.ts'
import { fullRefusal } from '../../kernel/out-of-space.ts'

/** What may show bytes; a snapshot and the images made of it show the same, and an upload and its image too. */
const showing = ['disk', 'snapshot', 'image'] as const

/** Whether anything shows these bytes. Once nothing does, nothing will: a new one is only ever made of one that does. */
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
  return upload !== undefined
}

/** Refuses to copy bytes for which there is no room; a copy that no longer fits when it is made fails by itself. */
export async function refuseWithoutRoom(
  { blocks }: Pick<Services, 'blocks'>,
  contentId: string,
): Promise<void> {
  await blocks.needRoomFor(contentId).catch((error: unknown) => {
    throw fullRefusal(error) ?? error
  })
}

/**
 * Makes bytes, and leaves none behind for what was deleted meanwhile: a job that is done again after its process died
 * may come long after the removal of what it made the first time.
 */
export async function createShown(
  services: Pick<Services, 'db' | 'blocks'>,
  { content_id, size, from }: { content_id: string; size: number; from?: string | undefined },
): Promise<void> {
  await services.blocks.create(content_id, size, from)
  if (!(await isShown(services, content_id))) await services.blocks.remove(content_id)
}
