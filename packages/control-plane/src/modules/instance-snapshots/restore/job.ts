import { operationId, ops } from '@gantry/api/registry'
import { z } from 'zod'
import { authorOfTask } from '@gantry/control-plane/authz/person'
import { type Change, change } from '@gantry/control-plane/change/change'
import { liveRows } from '@gantry/control-plane/change/children'
import { defineJob, type Repeat, repeatIn } from '@gantry/control-plane/change/define-job'
import { Cx, requestInfo, systemCx } from '@gantry/control-plane/context/cx'
import { invalid } from '@gantry/control-plane/context/refusal'
import type { RestoredDisk } from '@gantry/control-plane/db/tables/storage'
import type { Row } from '@gantry/control-plane/db/tables'
import { nextSlot } from '@gantry/control-plane/fleet/disk-slots'
import { need } from '@gantry/control-plane/lookup/need'
import { failureOf } from '@gantry/control-plane/work/jobs'
import { nameFor } from '../../recycle-bin/restoring/restorer.ts'
import { chargeLast } from '../../silo/quota.ts'
import { createVolume } from '../../storage/content-references.ts'
import { storedHardware } from '../../storage/snapshots.ts'
import { removeVolumeLater } from '../../storage/content-removal.ts'
import { end, fail, findRestore, lockRunning, type Restore, scopeOfRestore } from './store.ts'

const Args = z.object({ restore_id: z.string() })

const tryAgain = 'Nothing was changed. Try again.'

/** Waits for the snapshot of the present state. Long copies cost little: a tenth of their time passes in between. */
export const restoreWait = defineJob(
  'instance-restore-wait',
  Args,
  async (cx, { restore_id }): Promise<Repeat | undefined> => {
    const restore = await findRestore(cx.db, restore_id)
    if (restore?.state !== 'running') return undefined
    const { kept_id, time_created } = restore
    const kept =
      kept_id === null
        ? undefined
        : await cx.db
            .selectFrom('instance_snapshot')
            .select('state')
            .where('id', '=', kept_id)
            .where('time_deleted', 'is', null)
            .executeTakeFirst()
    if (kept?.state === 'creating') {
      const soFar = cx.now().getTime() - time_created.getTime()
      return repeatIn(Math.min(30_000, Math.max(250, soFar / 10)))
    }
    await change(systemCx(cx.services, 'job:instance-restore'), scopeOfRestore(restore), async (tx) => {
      const running = await lockRunning(tx, restore_id)
      if (!running) return
      if (kept_id === null || kept?.state === 'ready') {
        await tx.job(instanceRestore, { restore_id })
        return
      }
      const refusal = invalid('The snapshot of the present state could not be taken.', tryAgain)
      await fail(tx, running, failureOf(refusal, cx.now(), tryAgain))
    })
    return undefined
  },
  // Waiting counts as attempts.
  { maxAttempts: Infinity },
)

/** Creates the bytes of all disks beside their present ones, and then gives them to the disks in one change. */
export const instanceRestore = defineJob(
  'instance-restore',
  Args,
  async ({ services }, { restore_id }) => {
    const restore = await findRestore(services.db, restore_id)
    if (restore?.state !== 'running') return
    for (const [at, { content_id, size, from }] of restore.disks.entries()) {
      services.ending.throwIfAborted()
      await createVolume(services, { content_id, size, from })
      await count(systemCx(services, 'job:instance-restore'), restore, at + 1)
    }
    const { credential: _credential, ...request } = restore.request
    const info = {
      ...request,
      id: `${request.id}/${restore.instance_id}`,
      operation: operationId('instanceSnapshotRestore'),
      status: ops.instanceSnapshotRestore.status,
    }
    const cx = new Cx(services, await authorOfTask(services, restore), requestInfo(services, info))
    // With the roles that the user has now.
    const { row } = await need(cx, 'instance', { instance: restore.instance_id }, 'modify')
    await change(cx, scopeOfRestore(restore), async (tx) => {
      const running = await lockRunning(tx, restore_id)
      if (!running) return
      await tx.hold('project', restore.project_id)
      await replaceAll(tx, running, await tx.lock('instance', row))
      await end(tx, running, null)
    })
  },
  {
    maxAttempts: 8,
    isLong: true,
    async gaveUp(cx, { restore_id }, error) {
      const restore = await findRestore(cx.db, restore_id)
      if (!restore) return
      await change(systemCx(cx.services, 'job:instance-restore'), scopeOfRestore(restore), async (tx) => {
        const running = await lockRunning(tx, restore_id)
        const failure = failureOf(error, cx.now(), 'The instance could not be restored. Nothing was changed.')
        if (running) await fail(tx, running, failure)
      })
    },
  },
)

const count = (cx: Cx, { id, ...restore }: Restore, done: number): Promise<void> =>
  change(cx, { silo_id: restore.silo_id, project_id: restore.project_id }, async (tx) => {
    await tx.plain.updateTable('instance_restore').set({ done }).where('id', '=', id).execute()
    tx.note('instance-restore', id, undefined, { done })
  })

/** All disks at once, if nothing has happened to the instance and to them since the restore began. */
async function replaceAll(
  tx: Change,
  { disks, stopped_since, silo_id }: Restore,
  instance: Row<'instance'>,
): Promise<void> {
  const isSame = instance.time_run_state_updated.getTime() === stopped_since.getTime()
  if (instance.run_state !== 'stopped' || !isSame)
    throw invalid(
      `Instance ${instance.name} was started meanwhile. Nothing was changed.`,
      'Stop it, then restore again.',
    )
  const present = await liveRows(tx, 'disk', 'instance_id', instance.id)
  const replaced = disks.flatMap(({ now, ...disk }) => {
    if (!now) return []
    const row = present.find(({ id }) => id === now.id)
    if (row?.generation !== now.generation || row.content_id !== now.content_id)
      throw invalid(`Disk ${disk.name} was changed or detached meanwhile. Nothing was changed.`, 'Try again.')
    return [{ row, disk }]
  })
  const boot = disks.find(({ is_boot }) => is_boot)
  const newIds = new Map(disks.map((disk) => [disk, disk.now?.id ?? tx.cx.newId()]))
  // First, so that the account of what happened is about the instance.
  const boot_disk_id = boot ? (newIds.get(boot) ?? null) : instance.boot_disk_id
  await tx.update('instance', instance, { boot_disk_id })
  for (const { row, disk } of replaced) {
    await tx.update('disk', row, { content_id: disk.content_id })
    await removeVolumeLater(tx, row.content_id)
  }
  const slots = present.flatMap(({ slot }) => slot ?? [])
  for (const disk of disks) {
    if (disk.now) continue
    const slot = nextSlot(slots)
    slots.push(slot)
    await createDisk(tx, { silo_id, instance, slot, id: newIds.get(disk) ?? tx.cx.newId() }, disk)
  }
}

interface Place {
  silo_id: string
  instance: Row<'instance'>
  slot: number
  id: string
}

/** A disk that the instance no longer has; its name may have been taken. */
async function createDisk(
  tx: Change,
  { silo_id, instance: { id: instance_id, project_id }, slot, id }: Place,
  disk: RestoredDisk,
): Promise<void> {
  const name = await nameFor(tx, 'disk', { name: disk.name, project_id } as { name: string }, {
    asked: undefined,
    isPlan: true,
  })
  const snapshot = await tx.read
    .selectFrom('snapshot')
    .select('hardware')
    .where('id', '=', disk.snapshot_id)
    .executeTakeFirst()
  await tx.insert('disk', {
    id,
    name,
    description: disk.description,
    size: disk.size,
    project_id,
    block_size: disk.block_size,
    state: 'attached',
    instance_id,
    slot,
    snapshot_id: disk.snapshot_id,
    image_id: null,
    content_id: disk.content_id,
    hardware: snapshot ? storedHardware(snapshot) : null,
    read_only: disk.read_only ?? false,
  })
  chargeLast(tx, { silo_id, project_id }, { storage: disk.size })
}
