import type { FailureReason } from '@gantry/api/extensions'
import { sql } from 'kysely'
import { change, fleetScope } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { purge } from '../recycle-bin/purge.ts'

interface Lost {
  id: string
  instance_id: string | null
  silo_id: string
  project_id: string
}

/**
 * Marks the local disks of a sled that was removed for good as faulted, and takes them from their instances, which have
 * no machine any more. What the recycle bin has of them cannot come back either.
 */
export async function loseLocalDisks(cx: Cx, sledId: string): Promise<void> {
  await change(cx, fleetScope, async (tx) => {
    const ofSled = sql`content_id IN (SELECT content_id FROM local_volume WHERE sled_id = ${sledId})`
    await purge(tx, ofSled, 'sled')
  })
  for (const disk of await disksOn(cx, sledId)) await lose(cx, disk)
}

const disksOn = (cx: Cx, sledId: string): Promise<Lost[]> =>
  cx.db
    .selectFrom('disk')
    .innerJoin('local_volume', 'local_volume.content_id', 'disk.content_id')
    .innerJoin('project', 'project.id', 'disk.project_id')
    .select(['disk.id', 'disk.instance_id', 'disk.project_id', 'project.silo_id'])
    .where('local_volume.sled_id', '=', sledId)
    .where('disk.time_deleted', 'is', null)
    .where('disk.state', '<>', 'faulted')
    .execute()

const lose = (cx: Cx, { id, instance_id, ...scope }: Lost): Promise<void> =>
  change(cx, scope, async (tx) => {
    // As where disks are attached: the instance is locked before its disk.
    const instance =
      instance_id === null ? undefined : await tx.lockById('instance', instance_id).catch(ignoreNotFound)
    const disk = await tx.lockById('disk', id).catch(ignoreNotFound)
    if (!disk) return
    if (instance?.boot_disk_id === id) await tx.update('instance', instance, { boot_disk_id: null })
    const failure = JSON.stringify(removed(cx.now()))
    await tx.update('disk', disk, { state: 'faulted', instance_id: null, slot: null, failure })
  })

const removed = (now: Date): FailureReason => ({
  code: 'sled_removed',
  message: 'The sled that held it was removed for good, and its bytes with it.',
  next_step: 'Delete the disk, and create another one.',
  details: null,
  time: now.toISOString(),
})
