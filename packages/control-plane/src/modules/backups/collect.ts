import { sql } from 'kysely'
import { z } from 'zod'
import { type Change, change, fleetScope } from '../../change/change.ts'
import { defineJob, type Repeat, repeatIn } from '../../change/define-job.ts'
import type { Cx } from '../../context/cx.ts'
import { breather } from '../../context/pauses.ts'
import { chunkName, chunkPrefix, idInManifestName, manifestPrefix, pagesOf } from './format/layout.ts'
import { Damaged } from './format/sealing.ts'
import { readManifest, readPage } from './manifests.ts'
import { type Opened, openTarget, refuseForeign } from './opened.ts'
import { waitMs } from './turns.ts'
import { backupCx } from './work.ts'

/** Names that it has in memory; with more, it goes through the backups several times. */
const namesInMemory = 1_000_000
/** Chunks that it deletes before it looks whether the target is still its own. */
const deletionsAtOnce = 50

/** Queues a collection of the chunks that no backup names any more. */
export async function collectLater(tx: Change, backup_target_id: string): Promise<void> {
  await tx.plain
    .updateTable('backup_target_inner')
    .set({ collect_since: sql`coalesce(collect_since, ${tx.cx.now()})` })
    .where('backup_target_id', '=', backup_target_id)
    .execute()
  await tx.job(backupCollection, { backup_target_id })
}

/**
 * Deletes the chunks that no manifest names, while no backup adds to the target: one that is being made may count on a
 * chunk that it has found there. It takes the target under a lease, that of its job, and begins anew after a crash.
 */
export const backupCollection = defineJob(
  'backup-collection',
  z.object({ backup_target_id: z.string() }),
  async (cx, { backup_target_id: id }): Promise<Repeat | undefined> => {
    const run = cx.newId()
    const begun = await begin(cx, id, run)
    if (begun !== 'begun') return begun === 'wait' ? repeatIn(waitMs) : undefined
    try {
      const target = await openTarget(cx.services, id, cx.services.ending)
      await refuseForeign(target)
      await collect(cx, target, run)
      await end(cx, id, run, { isDone: true, since: target.inner.collect_since })
    } catch (error) {
      await end(cx, id, run, { isDone: false })
      throw error
    }
    return undefined
  },
  { maxAttempts: Infinity, isLong: true },
)

/** Only while nothing is being sent there. Both sides lock the target's row. */
const begin = (cx: Cx, id: string, run: string): Promise<'begun' | 'wait' | 'nothing'> =>
  change(backupCx(cx), fleetScope, async (tx) => {
    const inner = await tx.plain
      .selectFrom('backup_target_inner')
      .selectAll()
      .where('backup_target_id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!inner || inner.collect_since === null) return 'nothing'
    const sending = await tx.plain
      .selectFrom('backup_work')
      .select('instance_backup_id')
      .where('backup_target_id', '=', id)
      .where('is_sending', '=', true)
      .limit(1)
      .executeTakeFirst()
    if (sending) return 'wait'
    await tx.plain
      .updateTable('backup_target_inner')
      .set({ collecting: run })
      .where('backup_target_id', '=', id)
      .execute()
    return 'begun'
  })

const end = (
  cx: Cx,
  id: string,
  run: string,
  { isDone, since = null }: { isDone: boolean; since?: Date | null },
): Promise<void> =>
  change(backupCx(cx), fleetScope, async (tx) => {
    await tx.plain
      .updateTable('backup_target_inner')
      .set({
        collecting: null,
        ...(isDone
          ? {
              // Another deletion may have asked for a further one.
              collect_since: sql`CASE WHEN collect_since = ${since} THEN NULL ELSE collect_since END`,
              damaged: '[]',
            }
          : // Backups do not wait for one that fails.
            { collect_since: cx.now() }),
      })
      .where('backup_target_id', '=', id)
      .where('collecting', '=', run)
      .execute()
  })

async function isOwn({ db }: Cx, id: string, run: string): Promise<boolean> {
  const row = await db
    .selectFrom('backup_target_inner')
    .select('collecting')
    .where('backup_target_id', '=', id)
    .executeTakeFirst()
  return row?.collecting === run
}

async function collect(cx: Cx, target: Opened, run: string): Promise<void> {
  const { store, inner } = target
  const { ending } = cx.services
  let deleted = 0
  const remove = async (name: string): Promise<void> => {
    ending.throwIfAborted()
    if (deleted++ % deletionsAtOnce === 0 && !(await isOwn(cx, target.id, run)))
      throw new Error('another collection has begun')
    await store.remove(name)
  }
  for (const digest of inner.damaged) await remove(chunkName(digest))
  const breath = breather()
  for (let from = 0; from < 256;) {
    const { named, to } = await namesFrom(cx, target, from)
    for (let first = from; first < to; first++) {
      const prefix = `${chunkPrefix}${first.toString(16).padStart(2, '0')}/`
      for (let after: string | undefined; ;) {
        const names = await store.list(prefix, after)
        for (const name of names) {
          if (!named.has(name.slice(prefix.length))) await remove(name)
          await breath()
        }
        after = names.at(-1)
        if (after === undefined) break
      }
    }
    from = to
  }
  if (deleted > 0)
    cx.services.log.info({ target: target.id, deleted }, 'chunks that no backup names were deleted')
}

/**
 * The names of all chunks that begin with a byte of `[from, to)`. What cannot be read could name any chunk, so it ends the
 * collection, and nothing is deleted.
 */
async function namesFrom(
  cx: Cx,
  target: Opened,
  from: number,
): Promise<{ named: ReadonlySet<string>; to: number }> {
  const named = new Set<string>()
  let to = 256
  const isWithin = (name: string): boolean => {
    const first = Number.parseInt(name.slice(0, 2), 16)
    return first >= from && first < to
  }
  for await (const names of pagesOfAll(cx, target)) {
    for (const name of names) if (name !== null && isWithin(name)) named.add(name)
    while (named.size > namesInMemory && to - from > 1) {
      to = from + Math.ceil((to - from) / 2)
      for (const name of named) if (!isWithin(name)) named.delete(name)
    }
  }
  return { named, to }
}

async function* pagesOfAll({ services }: Cx, target: Opened): AsyncGenerator<(string | null)[]> {
  for (let after: string | undefined; ;) {
    const manifests = await target.store.list(manifestPrefix, after)
    for (const name of manifests) {
      const manifest = await readManifest(target, name)
      // Deleted since it was listed.
      if (!manifest) continue
      for (const [disk, { size }] of manifest.disks.entries())
        for (let page = 0; page < pagesOf(size); page++) {
          services.ending.throwIfAborted()
          const names = await readPage(target, idInManifestName(name), disk, page)
          if (!names) throw new Damaged(`${name} lacks a part of its index`)
          yield names
        }
    }
    after = manifests.at(-1)
    if (after === undefined) return
  }
}
