import { nameWith } from '@gantry/api/storage/instance-snapshot.rules'
import { operationId, ops } from '@gantry/api/registry'
import { z } from 'zod'
import { authorOfTask } from '@gantry/control-plane/authz/person'
import { type Change, change } from '@gantry/control-plane/change/change'
import { liveRows } from '@gantry/control-plane/change/children'
import { defineJob, type Repeat, repeatIn } from '@gantry/control-plane/change/define-job'
import { Cx, requestInfo, systemCx } from '@gantry/control-plane/context/cx'
import { breather } from '@gantry/control-plane/context/pauses'
import { invalid } from '@gantry/control-plane/context/refusal'
import type { Services } from '@gantry/control-plane/context/services'
import { failureOf } from '@gantry/control-plane/work/jobs'
import { ignoreNotFound } from '@gantry/control-plane/work/ignore-not-found'
import { beginRestore } from '../../instance-snapshots/restore/begin.ts'
import { createFromSnapshot } from '../../instance-snapshots/use.ts'
import { createContent } from '../../storage/content-references.ts'
import { removeContentLater } from '../../storage/content-removal.ts'
import { createDisk } from '../../storage/disks.ts'
import { storedHardware } from '../../storage/snapshots.ts'
import { writeBytes } from '../../storage/write-bytes.ts'
import { readChunks } from '../chunks.ts'
import { openTarget, refusalOf } from '../opened.ts'
import { inTurn } from '../turns.ts'
import { type Backup, beatMs, farther, findBackup, isFinal } from '../work.ts'
import { end, findRestore, lockRunning, type Restore } from './store.ts'

const failed = 'The backup could not be restored. Nothing was changed.'
const maxFailures = 8
const backoffMs = (failures: number): number => Math.min(60_000, 500 * 2 ** failures)
/** How often it looks whether the disks of the instance have been replaced. */
const replacedMs = 1000

/**
 * Fetches the bytes of all disks, and has what was asked for made of them, by an instance snapshot that is there for no
 * longer than that takes. Each step finds out whether it was done before a crash.
 */
export const instanceBackupRestore = defineJob(
  'instance-backup-restore',
  z.object({ restore_id: z.string() }),
  async (cx, { restore_id }): Promise<Repeat | undefined> => {
    const restore = await findRestore(cx.db, restore_id)
    if (restore?.state !== 'running') return undefined
    const found = await findBackup(cx, restore.instance_backup_id)
    if (!found || found.backup.time_deleted)
      throw invalid('The backup was deleted meanwhile.', 'Choose another backup.')
    if (!(await hasSnapshot(cx, restore))) {
      const again = await inTurn(cx.services, restore, () => fetch(cx, restore, found.backup))
      if (again) return again
      await makeSnapshot(cx, restore, found.backup)
    }
    return finish(cx, restore, found.backup)
  },
  {
    maxAttempts: Infinity,
    isLong: true,
    async gaveUp(cx, { restore_id }, error) {
      const restore = await findRestore(cx.db, restore_id)
      if (restore) await settle(cx, restore, error)
    },
  },
)

const restoreCx = (cx: Pick<Cx, 'services'>): Cx => systemCx(cx.services, 'job:instance-backup-restore')
const scopeOf = ({ silo_id, project_id }: Restore) => ({ silo_id, project_id })

async function fetch(cx: Cx, restore: Restore, backup: Backup): Promise<Repeat | undefined> {
  const { services } = cx
  const { ending, blocks } = services
  try {
    const target = await openTarget(services, backup.backup_target_id, ending)
    for (const { content_id, size } of restore.disks) {
      // What an attempt before has fetched may be of any part.
      await blocks.remove(content_id)
      await createContent(services, { content_id, size })
    }
    const contents = new Map(restore.disks.map((disk) => [disk.disk_id, disk.content_id]))
    let told = 0
    await readChunks(target, {
      backup_id: backup.id,
      disks: backup.disks,
      only: backup.disks.flatMap(({ disk_id }, at) => (contents.has(disk_id) ? [at] : [])),
      breath: breather(),
      async onChunk({ disk, offset, bytes }) {
        ending.throwIfAborted()
        const content = contents.get(backup.disks[disk]?.disk_id ?? '') ?? ''
        await writeBytes(services, blocks, content, offset, bytes)
      },
      async onPage(done) {
        if (Date.now() - told < beatMs) return
        told = Date.now()
        await count(cx, restore, done)
      },
    })
    return undefined
  } catch (error) {
    if (ending.aborted) throw ending.reason
    const refusal = refusalOf(error)
    if (isFinal(error, refusal)) throw refusal
    const failures = ((await findRestore(cx.db, restore.id))?.failures ?? 0) + 1
    if (failures >= maxFailures) throw refusal ?? error
    services.log.warn({ err: error, restore: restore.id, failures }, 'a restore did not get on')
    await services.db
      .updateTable('instance_backup_restore')
      .set({ failures })
      .where('id', '=', restore.id)
      .execute()
    return repeatIn(backoffMs(failures))
  }
}

const count = (cx: Cx, restore: Restore, done: number): Promise<void> =>
  change(restoreCx(cx), scopeOf(restore), async (tx) => {
    await tx.plain
      .updateTable('instance_backup_restore')
      .set(farther(done))
      .where('id', '=', restore.id)
      .execute()
    tx.note('instance-backup-restore', restore.id, undefined, { done })
  })

const hasSnapshot = async ({ db }: Cx, { instance_snapshot_id }: Restore): Promise<boolean> =>
  (await db
    .selectFrom('instance_snapshot')
    .select('id')
    .where('id', '=', instance_snapshot_id)
    .executeTakeFirst()) !== undefined

/** It counts towards no quota: what is made of it does. */
const makeSnapshot = (cx: Cx, restore: Restore, backup: Backup): Promise<void> =>
  change(restoreCx(cx), scopeOf(restore), async (tx) => {
    if (!(await lockRunning(tx, restore.id))) return
    await tx.hold('project', restore.project_id)
    const name = nameWith(backup.instance_name, `-restoring-${restore.id.slice(-6)}`)
    const members = restore.disks.flatMap((fetched) => {
      const disk = backup.disks.find(({ disk_id }) => disk_id === fetched.disk_id)
      return disk ? [{ ...fetched, disk }] : []
    })
    await tx.insert('instance_snapshot', {
      id: restore.instance_snapshot_id,
      name,
      description: `Of backup ${backup.name}, while it is being restored`,
      project_id: restore.project_id,
      instance_id: backup.instance_id,
      instance_name: backup.instance_name,
      state: 'ready',
      consistency: backup.consistency,
      size: 0,
      disks: JSON.stringify(
        members.map(({ disk, snapshot_id }) => ({
          disk_id: disk.disk_id,
          snapshot_id,
          name: disk.name,
          description: disk.description,
          size: disk.size,
          slot: disk.slot,
          is_boot: disk.is_boot,
          read_only: disk.read_only,
        })),
      ),
      settings: JSON.stringify(backup.settings),
      user_data: backup.user_data,
    })
    for (const [at, { disk, snapshot_id, content_id }] of members.entries())
      await tx.insert('snapshot', {
        id: snapshot_id,
        name: nameWith(name, `-${at}`),
        description: `Disk ${disk.name} in instance snapshot ${name}`,
        project_id: restore.project_id,
        disk_id: disk.disk_id,
        size: disk.size,
        block_size: disk.block_size,
        state: 'ready',
        content_id,
        hardware: storedHardware(disk),
        instance_snapshot_id: restore.instance_snapshot_id,
      })
  })

/** As the user who asked for it, with the roles of now. */
async function finish(cx: Cx, restore: Restore, backup: Backup): Promise<Repeat | undefined> {
  const { wanted, instance_snapshot_id, disks } = restore
  if (wanted.type === 'in_place') {
    const begun = await replacementOf(cx, restore)
    if (!begun) {
      await beginRestore(await authorCx(cx.services, restore), {
        path: { instance_snapshot: instance_snapshot_id },
        query: {},
        body: { keep_present: wanted.keep_present },
      })
      return repeatIn(replacedMs)
    }
    if (begun.state === 'running') return repeatIn(replacedMs)
    if (begun.failure) throw invalid(begun.failure.message, begun.failure.next_step)
  } else if (!(await isMade(cx, restore))) {
    const author = await authorCx(cx.services, restore)
    if (wanted.type === 'instance')
      await createFromSnapshot(author, { instance_snapshot: instance_snapshot_id }, wanted)
    else {
      const disk = backup.disks.find(({ disk_id }) => disk_id === wanted.disk_id)
      const [fetched] = disks
      if (!disk || !fetched) throw invalid('The backup has no such disk.', 'Choose one of its disks.')
      await createDisk(
        author,
        { project: restore.project_id },
        {
          name: wanted.name,
          description: disk.description,
          size: disk.size,
          disk_backend: {
            type: 'distributed',
            disk_source: { type: 'snapshot', snapshot_id: fetched.snapshot_id, read_only: disk.read_only },
          },
        },
      )
    }
  }
  await settle(cx, restore, undefined)
  return undefined
}

async function authorCx(services: Services, restore: Restore): Promise<Cx> {
  const { credential: _credential, ...request } = restore.request
  const info = {
    ...request,
    id: `${request.id}/${restore.instance_backup_id}`,
    operation: operationId('instanceBackupRestore'),
    status: ops.instanceBackupRestore.status,
  }
  return new Cx(services, await authorOfTask(services, restore), requestInfo(services, info))
}

const replacementOf = ({ db }: Cx, { instance_snapshot_id }: Restore) =>
  db
    .selectFrom('instance_restore')
    .select(['state', 'failure'])
    .where('instance_snapshot_id', '=', instance_snapshot_id)
    .executeTakeFirst()

/** Whether a disk was made of what was fetched, which only this restore does. */
const isMade = async ({ db }: Cx, { disks }: Restore): Promise<boolean> =>
  (await db
    .selectFrom('disk')
    .select('id')
    .where(
      'snapshot_id',
      'in',
      disks.map(({ snapshot_id }) => snapshot_id),
    )
    .executeTakeFirst()) !== undefined

/** Ends it, and removes the instance snapshot; disks that are still being written of it keep its bytes until then. */
const settle = (cx: Cx, restore: Restore, error: Error | undefined): Promise<void> =>
  change(restoreCx(cx), scopeOf(restore), async (tx) => {
    const running = await lockRunning(tx, restore.id)
    if (!running) return
    const failure = error ? failureOf(error, cx.now(), failed) : null
    await removeSnapshot(tx, restore)
    await end(tx, running, failure)
  })

async function removeSnapshot(tx: Change, { instance_snapshot_id: id }: Restore): Promise<void> {
  const snapshot = await tx.lockById('instance_snapshot', id).catch(ignoreNotFound)
  if (!snapshot) return
  const members = await liveRows(tx, 'snapshot', 'instance_snapshot_id', id)
  await tx.remove('instance_snapshot', snapshot)
  await tx.removeAll('snapshot', members)
  for (const { content_id } of members) await removeContentLater(tx, content_id)
}
