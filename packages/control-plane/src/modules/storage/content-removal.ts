import { z } from 'zod'
import type { Cx } from '../../kernel/cx.ts'
import { type Change, change } from '../../kernel/change.ts'
import { defineJob } from '../../kernel/define-job.ts'
import { goneIsNothing } from '../../kernel/gone.ts'
import { failureOf } from '../../kernel/jobs.ts'
import { chargeAnyway } from '../silo/quota.ts'
import { isShown } from './shown.ts'

const RemoveContent = z.object({
  content_id: z.string(),
  /** The deleted disk that they were of, to come back if they cannot be removed. */
  disk_id: z.string().optional(),
})

/** Frees bytes once nothing shows them any more, and nothing that is still being made reads them. */
export const contentRemoval = defineJob(
  'content-removal',
  RemoveContent,
  async (cx, { content_id }) => {
    if (await isShown(cx, content_id)) return
    const reader = await cx.db
      .selectFrom('job')
      .select('id')
      .where('kind', 'in', ['disk-content', 'snapshot-content'])
      .where('state', '=', 'pending')
      .where((eb) => eb(eb.ref('args', '->>').key('from' as never), '=', content_id))
      .executeTakeFirst()
    if (reader) throw new Error('the content is still being copied')
    await cx.services.blocks.remove(content_id)
  },
  {
    maxAttempts: 30,
    async gaveUp(cx, { disk_id }, error) {
      if (disk_id) await bringBack(cx, disk_id, error)
    },
  },
)

/** A disk whose bytes stayed is there again, under a name that nobody has, to be deleted once more (B 6.6). */
async function bringBack(cx: Cx, diskId: string, error: Error): Promise<void> {
  const found = await cx.db
    .selectFrom('disk')
    .innerJoin('project', 'project.id', 'disk.project_id')
    .select(['project.silo_id', 'project.id as project_id'])
    .where('disk.id', '=', diskId)
    .where('project.time_deleted', 'is', null)
    .executeTakeFirst()
  if (!found) return
  await change(cx, found, async (tx) => {
    const isHeld = await tx.hold('project', found.project_id).then(() => true, goneIsNothing)
    if (!isHeld) return
    const disk = await tx.read.selectFrom('disk').selectAll().where('id', '=', diskId).executeTakeFirst()
    if (!disk?.time_deleted) return
    const failure = JSON.stringify(failureOf(error, cx.now()))
    await tx.update('disk', disk, {
      time_deleted: null,
      name: `deleted-${disk.id}`,
      state: 'faulted',
      failure,
    })
    await chargeAnyway(tx, found, { storage: disk.size })
  })
}

/** Pass the deleted row, or what it was of; bytes that others show too stay. */
export const removeContentLater = (
  tx: Change,
  { content_id, disk_id }: z.infer<typeof RemoveContent>,
  runAt?: Date,
): Promise<string> => tx.job(contentRemoval, { content_id, ...(disk_id ? { disk_id } : {}) }, runAt)
