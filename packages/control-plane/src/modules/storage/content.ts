import { systemCx } from '../../kernel/cx.ts'
import type { Reader } from '../../db/database.ts'
import type { Services } from '../../kernel/services.ts'
import { change, type Change } from '../../kernel/change.ts'
import type { DiskStateName } from '@gantry/api/disk'
import { z } from 'zod'
import { defineJob } from '../../kernel/define-job.ts'
import { ignoreNotFound } from '../../kernel/gone.ts'
import { failureOf } from '../../kernel/jobs.ts'
import { createVolume } from './shown.ts'

const MakeContent = z.object({
  disk_id: z.string(),
  content_id: z.string(),
  size: z.number(),
  from: z.string().optional(),
})

/** Queues the creation of a disk's bytes for after the commit. */
export const makeContentLater = (tx: Change, args: z.infer<typeof MakeContent>): Promise<string> =>
  tx.job(diskContent, args)

/** Whether the bytes of a disk have not been created yet. */
export const isUnmade = async (db: Reader, diskId: string): Promise<boolean> =>
  (await db
    .selectFrom('job')
    .select('id')
    .where('kind', '=', diskContent.name)
    .where('state', 'in', ['pending', 'failed'])
    .where((eb) => eb(eb.ref('args', '->>').key('disk_id'), '=', diskId))
    .executeTakeFirst()) !== undefined

/** Creates the bytes of a disk and lets it leave `creating`; cleans up if the disk was deleted meanwhile. */
export const diskContent = defineJob(
  'disk-content',
  MakeContent,
  async (cx, { disk_id, content_id, size, from }) => {
    await createVolume(cx.services, { content_id, size, from })
    await settle(cx.services, disk_id, 'detached', null)
  },
  {
    maxAttempts: 8,
    gaveUp: (cx, { disk_id }, error) =>
      settle(cx.services, disk_id, 'faulted', JSON.stringify(failureOf(error, cx.now()))),
  },
)

/**
 * Only a disk in `creating` settles, because one made with an instance is attached from the start. If its
 * bytes cannot be made, an importing disk is faulted too.
 */
const unsettled: Record<'detached' | 'faulted', readonly DiskStateName[]> = {
  detached: ['creating'],
  faulted: ['creating', 'import_ready', 'importing_from_bulk_writes'],
}

async function settle(
  services: Services,
  diskId: string,
  state: 'detached' | 'faulted',
  failure: string | null,
): Promise<void> {
  const cx = systemCx(services, 'job:disk-content')
  const found = await cx.db
    .selectFrom('disk')
    .innerJoin('project', 'project.id', 'disk.project_id')
    .select(['disk.state', 'disk.time_deleted', 'project.silo_id', 'project.id as project_id'])
    .where('disk.id', '=', diskId)
    .executeTakeFirst()
  if (!found || found.time_deleted || !unsettled[state].includes(found.state)) return
  await change(cx, { silo_id: found.silo_id, project_id: found.project_id }, async (tx) => {
    const disk = await tx.lock('disk', diskId).catch(ignoreNotFound)
    if (disk && unsettled[state].includes(disk.state))
      await tx.update('disk', disk, { state, failure }, { touch: false })
  })
}
