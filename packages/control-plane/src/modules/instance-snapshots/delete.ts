import { allows } from '@gantry/api/base/state.rules'
import { instanceSnapshotAllows } from '@gantry/api/storage/instance-snapshot.rules'
import { z } from 'zod'
import { change, fleetScope } from '../../change/change.ts'
import { liveRows } from '../../change/children.ts'
import { defineJob } from '../../change/define-job.ts'
import { systemCx, type Cx } from '../../context/cx.ts'
import { conflict, invalid } from '../../context/refusal.ts'
import type { ClaimedJob } from '../../context/services.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { recycle } from '../recycle-bin/recycle.ts'
import { release } from '../silo/quota.ts'
import { removeContentLater } from '../storage/content-removal.ts'
import { runningRestore } from './restore/store.ts'

/** Deletes the snapshots of its disks, too: they come back together from the recycle bin. */
export async function deleteInstanceSnapshot(cx: Cx, at: Selectors): Promise<void> {
  const found = await need(cx, 'instance_snapshot', at, 'modify')
  await change(cx, found.scope, async (tx) => {
    const row = await tx.lock('instance_snapshot', found.row)
    if (!allows(instanceSnapshotAllows, 'delete', row.state))
      throw invalid('instance snapshot cannot be deleted in state Creating', 'Wait until it is ready.')
    if (await runningRestore(tx.read, row.id))
      throw conflict('an instance is being restored from this snapshot', 'Wait until that is done.')
    const snapshots = await liveRows(tx, 'snapshot', 'instance_snapshot_id', row.id)
    const silo_id = found.scope.silo_id ?? ''
    const { project_id, size } = row
    await tx.remove('instance_snapshot', row)
    await tx.removeAll('snapshot', snapshots)
    await release(tx, { silo_id, project_id }, { storage: size })
    await recycle(tx, {
      kind: 'instance-snapshot',
      row,
      silo_id,
      project_id,
      storage: size,
      removal: {
        job: instanceSnapshotRemoval,
        args: { content_ids: snapshots.map(({ content_id }) => content_id) },
      },
    })
  })
}

/** Removes the bytes of all snapshots, each by a job of its own. */
export const instanceSnapshotRemoval = defineJob(
  'instance-snapshot-removal',
  z.object({ content_ids: z.array(z.string()) }),
  async ({ services }, { content_ids }) => {
    const cx = systemCx(services, 'job:instance-snapshot-removal')
    const jobs = await change(cx, fleetScope, async (tx) => {
      const claimed: ClaimedJob[] = []
      for (const content_id of content_ids)
        claimed.push(await tx.takeJob(await removeContentLater(tx, content_id)))
      return claimed
    })
    for (const job of jobs) await services.runJob(job)
  },
  { maxAttempts: 30 },
)
