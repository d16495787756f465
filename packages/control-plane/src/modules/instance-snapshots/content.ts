import type { SnapshotConsistency } from '@gantry/api/storage/instance-snapshot.rules'
import { z } from 'zod'
import { change } from '../../change/change.ts'
import { liveRows } from '../../change/children.ts'
import { defineJob } from '../../change/define-job.ts'
import { type Cx, systemCx } from '../../context/cx.ts'
import type { Services } from '../../context/services.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { failureOf } from '../../work/jobs.ts'
import { createSnapshotsTogether } from '../storage/content-references.ts'

const Copies = z.object({
  instance_snapshot_id: z.string(),
  /** Since when the instance was stopped as it began; null if it was not. */
  stopped_since: z.string().nullable(),
  copies: z.array(z.object({ from: z.string(), content_id: z.string(), size: z.number() })),
})

/** Copies the bytes of all disks at one point in time. All of it succeeds, or all of it fails. */
export const instanceSnapshotContent = defineJob(
  'instance-snapshot-content',
  Copies,
  async (cx, { instance_snapshot_id, stopped_since, copies }) => {
    for (const { from } of copies)
      if ((await cx.services.fleet.volumes.size(from)) === undefined)
        throw new Error('a disk has no bytes yet')
    const machine = await machineOf(cx, instance_snapshot_id)
    const { wasFrozen } = await createSnapshotsTogether(cx.services, copies, machine)
    const wasStopped = await isStoppedSince(cx, instance_snapshot_id, stopped_since)
    await settle(cx.services, instance_snapshot_id, {
      state: 'ready',
      consistency: wasStopped ? 'stopped' : wasFrozen ? 'consistent' : 'power_cut',
    })
  },
  {
    maxAttempts: 8,
    isLong: true,
    gaveUp(cx, { instance_snapshot_id }, error) {
      const failure = JSON.stringify(failureOf(error, cx.now(), 'The snapshot could not be created.'))
      return settle(cx.services, instance_snapshot_id, { state: 'faulted', failure })
    },
  },
)

/** Whether the instance, which may be deleted by now, was stopped all the time. */
async function isStoppedSince({ db }: Cx, id: string, since: string | null): Promise<boolean> {
  if (since === null) return false
  const instance = await db
    .selectFrom('instance_snapshot')
    .innerJoin('instance', 'instance.id', 'instance_snapshot.instance_id')
    .select('instance.time_run_state_updated')
    .where('instance_snapshot.id', '=', id)
    .executeTakeFirst()
  return instance?.time_run_state_updated.toISOString() === since
}

/** The machine that uses the disks, if one does. */
async function machineOf({ db }: Cx, id: string): Promise<string | undefined> {
  const instance = await db
    .selectFrom('instance_snapshot')
    .innerJoin('instance', 'instance.id', 'instance_snapshot.instance_id')
    .select('instance.vmm_id')
    .where('instance_snapshot.id', '=', id)
    .executeTakeFirst()
  return instance?.vmm_id ?? undefined
}

type Outcome = { state: 'ready'; consistency: SnapshotConsistency } | { state: 'faulted'; failure: string }

/** The instance snapshot and the snapshots of its disks, in one change. */
async function settle(services: Services, id: string, outcome: Outcome): Promise<void> {
  const cx = systemCx(services, 'job:instance-snapshot-content')
  const found = await cx.db
    .selectFrom('instance_snapshot')
    .innerJoin('project', 'project.id', 'instance_snapshot.project_id')
    .select(['project.silo_id', 'project.id as project_id'])
    .where('instance_snapshot.id', '=', id)
    .where('instance_snapshot.time_deleted', 'is', null)
    .executeTakeFirst()
  if (!found) return
  await change(cx, found, async (tx) => {
    const snapshot = await tx.lockById('instance_snapshot', id).catch(ignoreNotFound)
    if (snapshot?.state !== 'creating') return
    await tx.update('instance_snapshot', snapshot, outcome, { touch: false })
    const { consistency: _consistency, ...ofDisk } = { consistency: null, ...outcome }
    for (const one of await liveRows(tx, 'snapshot', 'instance_snapshot_id', id))
      await tx.update('snapshot', one, ofDisk, { touch: false })
  })
}
