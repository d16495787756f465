import { allows } from '@gantry/api/base/state.rules'
import { instanceBackupAllows } from '@gantry/api/backups/instance-backup.rules'
import { z } from 'zod'
import { change } from '../../change/change.ts'
import { defineJob, type Repeat } from '../../change/define-job.ts'
import type { Cx } from '../../context/cx.ts'
import { breather } from '../../context/pauses.ts'
import { invalid, type Refusal } from '../../context/refusal.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { ignoreNotFound } from '../../work/ignore-not-found.ts'
import { failureOf } from '../../work/jobs.ts'
import { readChunks } from './chunks.ts'
import { collectLater } from './collect.ts'
import { manifestName } from './format/layout.ts'
import { Damaged } from './format/sealing.ts'
import { readManifest } from './manifests.ts'
import { openTarget } from './opened.ts'
import { inTurn } from './turns.ts'
import {
  afterFailure,
  type Backup,
  backupCx,
  beatMs,
  count,
  endWork,
  findBackup,
  findWork,
  isWanted,
  type Owned,
} from './work.ts'

/** Damaged chunks that are remembered, to be deleted. */
const rememberedDamage = 1000

export async function beginVerification(cx: Cx, at: Selectors): Promise<Backup> {
  const { row, scope } = await need(cx, 'instance_backup', at, 'modify')
  return change(cx, scope, async (tx) => {
    const backup = await tx.lock('instance_backup', row)
    if (!allows(instanceBackupAllows, 'verify', backup.state))
      throw invalid(`the backup cannot be verified in state ${backup.state}`, 'Wait until its work is done.')
    await tx.plain
      .insertInto('backup_work')
      .values({ instance_backup_id: backup.id, backup_target_id: backup.backup_target_id, copies: '[]' })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await tx.job(instanceBackupVerification, { backup_id: backup.id })
    return tx.update('instance_backup', backup, { state: 'verifying', failure: null })
  })
}

/** Reads all of a backup back, and compares each chunk with its name. */
export const instanceBackupVerification = defineJob(
  'instance-backup-verification',
  z.object({ backup_id: z.string() }),
  async (cx, { backup_id }) => {
    const found = await findBackup(cx, backup_id)
    if (!found || !(await isWanted(cx, backup_id, 'verifying'))) return undefined
    return inTurn(cx.services, found.backup, () => verify(cx, found))
  },
  {
    maxAttempts: Infinity,
    isLong: true,
    async gaveUp(cx, { backup_id }, error) {
      const found = await findBackup(cx, backup_id)
      if (found) await settle(cx, found, { error, damaged: [] })
    },
  },
)

async function verify(cx: Cx, found: Owned): Promise<Repeat | undefined> {
  const { backup } = found
  const { services } = cx
  const cancelled = new AbortController()
  const beat = setInterval(() => {
    void isWanted(cx, backup.id, 'verifying').then((wanted) => wanted || cancelled.abort())
  }, beatMs)
  const signal = AbortSignal.any([cancelled.signal, services.ending])
  const damaged = new Set<string>()
  try {
    const target = await openTarget(services, backup.backup_target_id, signal)
    if (!(await readManifest(target, manifestName(backup)))) throw missing()
    let told = 0
    await readChunks(target, {
      backup_id: backup.id,
      disks: backup.disks,
      breath: breather(),
      onChunk: async () => signal.throwIfAborted(),
      async onPage(done) {
        if (Date.now() - told < beatMs) return
        told = Date.now()
        await count(cx, found, { done })
      },
      onDamage(digest) {
        if (damaged.size < rememberedDamage) damaged.add(digest)
      },
    })
    await settle(cx, found, { damaged: [...damaged] })
    return undefined
  } catch (error) {
    if (services.ending.aborted) throw services.ending.reason
    if (!(await isWanted(cx, backup.id, 'verifying'))) return undefined
    // What is not as it was written will not be so later.
    if (error instanceof Damaged) {
      await settle(cx, found, { error, damaged: [...damaged] })
      return undefined
    }
    if (!(await findWork(cx, backup.id))) throw error
    return await afterFailure(cx, backup.id, error)
  } finally {
    clearInterval(beat)
    cancelled.abort()
  }
}

const missing = (): Refusal =>
  invalid('The target no longer holds this backup.', 'Delete it, and back the instance up again.')

async function settle(
  cx: Cx,
  { backup: { id, backup_target_id, disks }, scope }: Owned,
  { error, damaged }: { error?: Error; damaged: readonly string[] },
): Promise<void> {
  const isDamaged = damaged.length > 0 || error instanceof Damaged
  await change(backupCx(cx), scope, async (tx) => {
    const backup = await tx.lockById('instance_backup', id).catch(ignoreNotFound)
    await endWork(tx, id)
    if (backup?.state !== 'verifying') return
    const failure = isDamaged
      ? failureOf(damage(damaged.length, disks.length), cx.now(), '')
      : error && failureOf(error, cx.now(), 'The backup could not be read.')
    if (isDamaged) {
      await tx.plain
        .updateTable('backup_target_inner')
        .set({ time_damaged: cx.now(), damaged: JSON.stringify(damaged) })
        .where('backup_target_id', '=', backup_target_id)
        .execute()
      // The next backup then writes these chunks again.
      await collectLater(tx, backup_target_id)
    }
    await tx.update(
      'instance_backup',
      backup,
      failure
        ? { state: 'faulted', failure: JSON.stringify(failure) }
        : { state: 'ready', failure: null, time_verified: cx.now() },
      { touch: false },
    )
  })
}

const damage = (chunks: number, disks: number): Refusal =>
  invalid(
    `The target lost or changed ${chunks > 0 ? `${chunks} ${chunks === 1 ? 'piece' : 'pieces'}` : 'the index'} of the ${disks === 1 ? 'disk' : 'disks'}.`,
    'Back the instance up again: damaged pieces are written anew. Then look at the store.',
  )
