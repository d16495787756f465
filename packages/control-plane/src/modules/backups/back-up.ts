import type { SnapshotConsistency } from '@gantry/api/storage/instance-snapshot.rules'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Change, change } from '../../change/change.ts'
import { defineJob, type Repeat, repeatIn } from '../../change/define-job.ts'
import type { Cx } from '../../context/cx.ts'
import { breather } from '../../context/pauses.ts'
import { invalid } from '../../context/refusal.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { failureOf } from '../../work/jobs.ts'
import { createSnapshotsTogether } from '../storage/content-references.ts'
import { fewAtOnce, isZero } from './chunks.ts'
import { removalOf, removeObjectsLater } from './remove.ts'
import { chunkBytes, chunkName, chunksPerPage, pageName, pagesOf } from './format/layout.ts'
import { readPage, writeManifest, writePage } from './manifests.ts'
import { type Opened, openTarget, refuseForeign } from './opened.ts'
import { inTurn, waitMs } from './turns.ts'
import {
  afterFailure,
  backupCx,
  beatMs,
  count,
  endWork,
  findBackup,
  findWork,
  isWanted,
  type Owned,
  type Work,
} from './work.ts'

const Copies = z.object({
  backup_id: z.string(),
  instance_id: z.string(),
  /** Since when the instance was stopped as it began; null if it was not. */
  stopped_since: z.string().nullable(),
  copies: z.array(z.object({ from: z.string(), content_id: z.string(), size: z.number() })),
})
const Args = z.object({ backup_id: z.string() })

const failed = 'The backup could not be made. Nothing of it is listed in the target.'

/** Copies the bytes of all disks at one point in time, so that the instance runs while they are sent. */
export const instanceBackupCopy = defineJob(
  'instance-backup-copy',
  Copies,
  async (cx, { backup_id, instance_id, stopped_since, copies }) => {
    const { fleet } = cx.services
    if (!(await isWanted(cx, backup_id, 'creating'))) return abandon(cx, backup_id)
    if ((await findWork(cx, backup_id))?.is_copied !== false) return undefined
    for (const { from } of copies)
      if ((await fleet.volumes.size(from)) === undefined) throw new Error('a disk has no bytes yet')
    const instance = await instanceOf(cx, instance_id)
    const { wasFrozen } = await createSnapshotsTogether(cx.services, copies, instance?.vmm_id ?? undefined)
    const now = await instanceOf(cx, instance_id)
    const wasStopped = stopped_since !== null && now?.time_run_state_updated.toISOString() === stopped_since
    const consistency: SnapshotConsistency = wasStopped ? 'stopped' : wasFrozen ? 'consistent' : 'power_cut'
    const found = await findBackup(cx, backup_id)
    if (!found) return undefined
    await change(backupCx(cx), found.scope, async (tx) => {
      const backup = await tx.lockById('instance_backup', backup_id).catch(ignoreNotFound)
      const { numUpdatedRows } = await tx.plain
        .updateTable('backup_work')
        .set({ is_copied: true })
        .where('instance_backup_id', '=', backup_id)
        .where('is_copied', '=', false)
        .executeTakeFirst()
      if (backup && numUpdatedRows > 0n)
        await tx.update('instance_backup', backup, { consistency }, { touch: false })
      if (numUpdatedRows > 0n) await tx.job(instanceBackup, { backup_id })
    })
    return undefined
  },
  { maxAttempts: 8, isLong: true, gaveUp: (cx, { backup_id }, error) => settleFailed(cx, backup_id, error) },
)

const instanceOf = ({ db }: Cx, id: string) =>
  db
    .selectFrom('instance')
    .select(['vmm_id', 'time_run_state_updated'])
    .where('id', '=', id)
    .executeTakeFirst()

/**
 * Sends what the target lacks, and its manifest last. A page of the index is written once all of its chunks are there,
 * so that after a crash the work resumes behind the last page.
 */
export const instanceBackup = defineJob(
  'instance-backup',
  Args,
  async (cx, { backup_id }) => {
    const found = await findBackup(cx, backup_id)
    const work = await findWork(cx, backup_id)
    if (!found || !work) return undefined
    if (!(await isWanted(cx, backup_id, 'creating'))) return abandon(cx, backup_id)
    return inTurn(cx.services, found.backup, () => send(cx, found, work))
  },
  {
    // Waiting for a turn counts as attempts.
    maxAttempts: Infinity,
    isLong: true,
    gaveUp: (cx, { backup_id }, error) => settleFailed(cx, backup_id, error),
  },
)

async function send(cx: Cx, found: Owned, work: Work): Promise<Repeat | undefined> {
  const { id } = found.backup
  const { services } = cx
  if (!(await beginSending(cx, work))) return repeatIn(waitMs)
  const cancelled = new AbortController()
  const beat = setInterval(() => {
    void isWanted(cx, id, 'creating').then((wanted) => wanted || cancelled.abort())
  }, beatMs)
  const signal = AbortSignal.any([cancelled.signal, services.ending])
  try {
    const target = await openTarget(services, work.backup_target_id, signal)
    await refuseForeign(target)
    const sent = await sendDisks(cx, { found, work, target, signal })
    signal.throwIfAborted()
    const { backup } = (await findBackup(cx, id)) ?? found
    const { scope, names } = found
    await writeManifest(target, backup, {
      project: { id: scope.project_id, name: names.project },
      silo: { id: scope.silo_id, name: names.silo },
    })
    await settleReady(cx, found, sent)
    return undefined
  } catch (error) {
    if (services.ending.aborted) throw services.ending.reason
    if (!(await isWanted(cx, id, 'creating'))) return await abandon(cx, id)
    return await afterFailure(cx, id, error)
  } finally {
    clearInterval(beat)
    cancelled.abort()
  }
}

/**
 * False while the target is being collected, or has waited long for it: what a backup finds there must not go before its
 * manifest names it. Both lock the target's row, so that one of them comes first.
 */
const beginSending = (cx: Cx, { backup_target_id, instance_backup_id, is_sending }: Work): Promise<boolean> =>
  change(backupCx(cx), { silo_id: null, project_id: null }, async (tx) => {
    if (is_sending) return true
    const inner = await tx.plain
      .selectFrom('backup_target_inner')
      .select(['collecting', 'collect_since'])
      .where('backup_target_id', '=', backup_target_id)
      .forUpdate()
      .executeTakeFirst()
    // Without the row, the target was forgotten, which the next step says.
    const mayGo = !inner?.collecting && !isOverdue(inner?.collect_since ?? null, cx.now())
    if (mayGo)
      await tx.plain
        .updateTable('backup_work')
        .set({ is_sending: true })
        .where('instance_backup_id', '=', instance_backup_id)
        .execute()
    return mayGo
  })

/** New backups wait for a collection that could not begin for this long, because one followed the other. */
const patienceMs = 600_000
const isOverdue = (since: Date | null, now: Date): boolean =>
  since !== null && now.getTime() - since.getTime() > patienceMs

interface Sending {
  found: Owned
  work: Work
  target: Opened
  signal: AbortSignal
}

/** Returns the bytes that were added to the target. */
async function sendDisks(cx: Cx, { found, work, target, signal }: Sending): Promise<number> {
  const { backup } = found
  const { blocks } = cx.services
  const { store, sealing } = target
  const breath = breather()
  const previous = await previousOf(cx, found, target)
  let { sent } = work
  let done = 0
  let told = 0
  const tell = async (): Promise<void> => {
    if (Date.now() - told < beatMs) return
    told = Date.now()
    await count(cx, found, { done, sent })
  }
  for (const [disk, { size, disk_id }] of backup.disks.entries()) {
    const content = work.copies[disk]?.content_id ?? ''
    if ((await blocks.size(content)) === undefined)
      throw invalid('The copy of the disks is gone.', 'Back the instance up again.')
    const mayHold = await blocks.written(content)
    for (let page = 0; page < pagesOf(size); page++) {
      const first = page * chunksPerPage * chunkBytes
      const chunks = Math.min(chunksPerPage, Math.ceil((size - first) / chunkBytes))
      const name = pageName(backup.id, disk, page)
      if (await store.has(name)) {
        done += Math.min(chunks * chunkBytes, size - first)
        await tell()
        continue
      }
      const known = await previous(disk_id, page)
      const digests: (string | null)[] = Array.from({ length: chunks }, () => null)
      await fewAtOnce(chunks, async (at) => {
        signal.throwIfAborted()
        const offset = first + at * chunkBytes
        const length = Math.min(chunkBytes, size - offset)
        const bytes = mayHold(offset, length) ? await blocks.read(content, offset, length) : undefined
        if (bytes && !isZero(bytes)) {
          const digest = await sealing.nameOf(bytes)
          digests[at] = digest
          const object = chunkName(digest)
          if (!known.has(digest) && !(await store.has(object))) {
            const sealed = await sealing.seal(object, bytes)
            await store.put(object, sealed)
            sent += sealed.length
          }
        }
        done += length
        await breath()
        await tell()
      })
      await writePage(target, name, digests)
    }
  }
  await count(cx, found, { done, sent })
  return sent
}

/**
 * The chunks that the newest earlier backup of the same disk has at the same place: they are in the target, and need no
 * question each. Not those of backups before damage was found.
 */
async function previousOf(
  { db }: Cx,
  { backup }: Owned,
  target: Opened,
): Promise<(diskId: string, page: number) => Promise<ReadonlySet<string>>> {
  const since = target.inner.time_damaged
  const last = await db
    .selectFrom('instance_backup')
    .select(['id', 'disks'])
    .where('instance_id', '=', backup.instance_id)
    .where('backup_target_id', '=', target.id)
    .where('state', '=', 'ready')
    .where('time_deleted', 'is', null)
    .where(since ? sql<boolean>`time_taken > ${since}` : sql<boolean>`true`)
    .orderBy('time_taken', 'desc')
    .limit(1)
    .executeTakeFirst()
  return async (diskId, page) => {
    const at = last?.disks.findIndex(({ disk_id }) => disk_id === diskId) ?? -1
    if (!last || at < 0) return new Set()
    const names = await readPage(target, last.id, at, page)
    return new Set(names?.filter((name) => name !== null))
  }
}

async function settleReady(cx: Cx, { backup: { id }, scope }: Owned, stored: number): Promise<void> {
  await change(backupCx(cx), scope, async (tx) => {
    const backup = await tx.lockById('instance_backup', id).catch(ignoreNotFound)
    await endWork(tx, id)
    if (backup?.state === 'creating')
      await tx.update('instance_backup', backup, { state: 'ready', stored }, { touch: false })
    // It was cancelled as its manifest was written.
    else await removeDeleted(tx, id)
  })
}

/** Ends the work on a backup that was deleted meanwhile, and removes what it has sent. */
async function abandon(cx: Cx, id: string): Promise<undefined> {
  const found = await findBackup(cx, id)
  await change(backupCx(cx), found?.scope ?? { silo_id: null, project_id: null }, async (tx) => {
    await endWork(tx, id)
    await removeDeleted(tx, id)
  })
}

async function removeDeleted(tx: Change, id: string): Promise<void> {
  const found = await findBackup({ db: tx.read }, id)
  if (found?.backup.time_deleted) await removeObjectsLater(tx, removalOf(found.backup))
}

async function settleFailed(cx: Cx, id: string, error: Error): Promise<void> {
  const found = await findBackup(cx, id)
  if (!found) return
  await change(backupCx(cx), found.scope, async (tx) => {
    const backup = await tx.lockById('instance_backup', id).catch(ignoreNotFound)
    await endWork(tx, id)
    if (!backup) return removeDeleted(tx, id)
    if (backup.state !== 'creating') return undefined
    const failure = JSON.stringify(failureOf(error, cx.now(), failed))
    await tx.update('instance_backup', backup, { state: 'faulted', failure }, { touch: false })
    return undefined
  })
}
