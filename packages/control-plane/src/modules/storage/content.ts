import { type Cx, systemCx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import type { Row } from '../../db/tables.ts'
import type { Services } from '../../context/services.ts'
import { change, type Change } from '../../change/change.ts'
import type { DiskStateName } from '@gantry/api/storage/disk'
import { z } from 'zod'
import { defineJob } from '../../change/define-job.ts'
import { retryMs, runLater } from '../../change/run-later.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { failureOf } from '../../work/jobs.ts'
import { unavailable } from '../../context/refusal.ts'
import { createVolume } from './content-references.ts'

const MakeContent = z.object({
  disk_id: z.string(),
  content_id: z.string(),
  size: z.number(),
  from: z.string().optional(),
})

/** Queues the creation of a disk's bytes for after the commit. */
export const makeContentLater = (tx: Change, args: z.infer<typeof MakeContent>): Promise<string> =>
  tx.job(diskContent, args)

/** The job that has yet to create the bytes of a disk, if any: one that failed for good has left another. */
export const makingOf = (db: Reader, diskId: string): Promise<Making | undefined> =>
  db
    .selectFrom('job')
    .select(['time_created', 'run_at'])
    .where('kind', '=', diskContent.name)
    .where('state', '=', 'pending')
    .where((eb) => eb(eb.ref('args', '->>').key('disk_id'), '=', diskId))
    .executeTakeFirst()

export type Making = Pick<Row<'job'>, 'time_created' | 'run_at'>

/** Refuses to copy a disk whose own bytes are still being created. */
export async function refuseUnmade(cx: Cx, { id, content_id }: Row<'disk'>): Promise<void> {
  if ((await cx.services.fleet.volumes.size(content_id)) !== undefined) return
  if (await makingOf(cx.db, id))
    throw unavailable('The disk is still being created. Try again once it is ready.')
}

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
    isLong: true,
    async gaveUp(cx, args, error) {
      const failure = JSON.stringify(failureOf(error, cx.now(), 'The disk could not be created.'))
      if (await settle(cx.services, args.disk_id, 'faulted', failure)) return
      // A disk made with an instance stays attached, and a start makes it too once its bytes can be made.
      await runLater(cx, diskContent, args, retryMs)
    },
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

/** False if the disk still waits for its bytes. */
async function settle(
  services: Services,
  diskId: string,
  state: 'detached' | 'faulted',
  failure: string | null,
): Promise<boolean> {
  const cx = systemCx(services, 'job:disk-content')
  const found = await cx.db
    .selectFrom('disk')
    .innerJoin('project', 'project.id', 'disk.project_id')
    .select(['disk.state', 'disk.time_deleted', 'project.silo_id', 'project.id as project_id'])
    .where('disk.id', '=', diskId)
    .executeTakeFirst()
  if (!found || found.time_deleted) return true
  if (!unsettled[state].includes(found.state)) return found.state === 'faulted'
  return change(cx, { silo_id: found.silo_id, project_id: found.project_id }, async (tx) => {
    const disk = await tx.lockById('disk', diskId).catch(ignoreNotFound)
    if (!disk) return true
    if (!unsettled[state].includes(disk.state)) return disk.state === 'faulted'
    await tx.update('disk', disk, { state, failure }, { touch: false })
    return true
  })
}
