import { sql } from 'kysely'
import { z } from 'zod'
import type { Cx } from '../../context/cx.ts'
import { type Change, change, fleetScope } from '../../change/change.ts'
import { defineJob } from '../../change/define-job.ts'
import { retryMs, runLater } from '../../change/run-later.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { failureOf } from '../../work/jobs.ts'
import { chargeAnyway } from '../silo/quota.ts'
import type { Row } from '../../db/tables.ts'
import { isReferenced } from './content-references.ts'

const RemoveContent = z.object({
  content_id: z.string(),
  /** The deleted disk that owned the bytes, to be restored if they cannot be removed. */
  disk_id: z.string().optional(),
  /** The fleet's, and of no disk that could have them back. */
  is_volume: z.boolean().optional(),
})

/** Deletes bytes that nothing refers to and no running job reads. */
export const contentRemoval = defineJob(
  'content-removal',
  RemoveContent,
  async (cx, args) => {
    const { content_id, disk_id, is_volume = disk_id !== undefined } = args
    if (await isReferenced(cx, content_id)) return
    const reader = await cx.db
      .selectFrom('job')
      .select('time_created')
      .where('kind', 'in', [
        'disk-content',
        'snapshot-content',
        'instance-snapshot-content',
        'instance-backup',
      ])
      .where('state', '=', 'pending')
      .where((eb) =>
        eb.or([
          eb(eb.ref('args', '->>').key('from'), '=', content_id),
          // One that copies several.
          sql<boolean>`args->'copies' @> ${JSON.stringify([{ from: content_id }])}::jsonb`,
        ]),
      )
      .executeTakeFirst()
    if (reader) {
      // A new job, because waiting would use up this one's attempts: a copy may take a day.
      const soFar = cx.now().getTime() - reader.time_created.getTime()
      await runLater(cx, contentRemoval, args, Math.min(Math.max(soFar, shortestWaitMs), longestWaitMs))
      return
    }
    const { blocks, fleet } = cx.services
    await (is_volume ? fleet.volumes : blocks).remove(content_id)
    if (is_volume) await forgetPlace(cx, content_id)
  },
  {
    maxAttempts: 30,
    async gaveUp(cx, args, error) {
      const isBack = args.disk_id !== undefined && (await bringBack(cx, args.disk_id, error))
      // No other record refers to these bytes.
      if (!isBack) await runLater(cx, contentRemoval, args, retryMs)
    },
  },
)

/** The part of a physical disk that a local disk had is free again. */
async function forgetPlace(cx: Cx, contentId: string): Promise<void> {
  const placed = await cx.db
    .selectFrom('local_volume')
    .select('content_id')
    .where('content_id', '=', contentId)
    .executeTakeFirst()
  if (!placed) return
  await change(cx, fleetScope, async ({ plain }) => {
    await plain.deleteFrom('local_volume').where('content_id', '=', contentId).execute()
  })
}

const shortestWaitMs = 500
const longestWaitMs = 60_000

/**
 * Restores a disk whose bytes could not be removed, under an unused name, so that it can be deleted again (B
 * 6.6). False if its project was deleted too.
 */
async function bringBack(cx: Cx, diskId: string, error: Error): Promise<boolean> {
  const found = await cx.db
    .selectFrom('disk')
    .innerJoin('project', 'project.id', 'disk.project_id')
    .select(['project.silo_id', 'project.id as project_id'])
    .where('disk.id', '=', diskId)
    .where('project.time_deleted', 'is', null)
    .executeTakeFirst()
  if (!found) return false
  return change(cx, found, async (tx) => {
    const isHeld = await tx.hold('project', found.project_id).then(() => true, ignoreNotFound)
    if (!isHeld) return false
    const disk = await tx.read.selectFrom('disk').selectAll().where('id', '=', diskId).executeTakeFirst()
    if (!disk?.time_deleted) return true
    const failure = JSON.stringify(failureOf(error, cx.now(), 'The disk could not be deleted.'))
    await tx.update('disk', disk, {
      time_deleted: null,
      name: `deleted-${disk.id}`,
      state: 'faulted',
      failure,
    })
    await chargeAnyway(tx, found, { storage: disk.size })
    return true
  })
}

/** Bytes that something else shares are kept. */
export const removeContentLater = (tx: Change, content_id: string, runAt?: Date): Promise<string> =>
  tx.job(contentRemoval, { content_id }, runAt)

/** Bytes that a disk no longer has, or was never given. */
export const removeVolumeLater = (tx: Change, content_id: string): Promise<string> =>
  tx.job(contentRemoval, { content_id, is_volume: true })

/** The job that removes the bytes of a deleted disk, which are the fleet's. */
export const volumeRemoval = ({ id, content_id }: Row<'disk'>) => ({
  job: contentRemoval,
  args: { content_id, disk_id: id },
})

/** The job that removes the bytes of a deleted snapshot or image. */
export const removalOf = ({ content_id }: { content_id: string }) => ({
  job: contentRemoval,
  args: { content_id },
})
