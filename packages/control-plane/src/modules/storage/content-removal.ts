import { z } from 'zod'
import type { Cx } from '../../kernel/cx.ts'
import { type Change, change } from '../../kernel/change.ts'
import { defineJob } from '../../kernel/define-job.ts'
import { ignoreNotFound } from '../../kernel/gone.ts'
import { failureOf } from '../../kernel/jobs.ts'
import { chargeAnyway } from '../silo/quota.ts'
import { isShown } from './shown.ts'

const RemoveContent = z.object({
  content_id: z.string(),
  /** The deleted disk that owned the bytes, to be restored if they cannot be removed. */
  disk_id: z.string().optional(),
})

/** Deletes bytes that nothing refers to and no running job reads. */
export const contentRemoval = defineJob(
  'content-removal',
  RemoveContent,
  async (cx, { content_id, disk_id }) => {
    if (await isShown(cx, content_id)) return
    const reader = await cx.db
      .selectFrom('job')
      .select('id')
      .where('kind', 'in', ['disk-content', 'snapshot-content'])
      .where('state', '=', 'pending')
      .where((eb) => eb(eb.ref('args', '->>').key('from'), '=', content_id))
      .executeTakeFirst()
    if (reader) throw new Error('the content is still being copied')
    const { blocks, fleet } = cx.services
    await (disk_id === undefined ? blocks : fleet.volumes).remove(content_id)
  },
  {
    maxAttempts: 30,
    async gaveUp(cx, { disk_id }, error) {
      if (disk_id) await bringBack(cx, disk_id, error)
    },
  },
)

/**
 * Restores a disk whose bytes could not be removed, under an unused name, so that it can be deleted again (B
 * 6.6).
 */
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
    const isHeld = await tx.hold('project', found.project_id).then(() => true, ignoreNotFound)
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

/** Pass the deleted row, or its former values; bytes that others share are kept. */
export const removeContentLater = (
  tx: Change,
  { content_id, disk_id }: z.infer<typeof RemoveContent>,
  runAt?: Date,
): Promise<string> => tx.job(contentRemoval, { content_id, ...(disk_id ? { disk_id } : {}) }, runAt)
