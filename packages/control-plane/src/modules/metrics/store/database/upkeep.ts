import type { Db } from '@gantry/control-plane/db/database'
import { decodeBlock, type PointsBySeries } from './codec.ts'
import {
  appendLater,
  between,
  emptyPoints,
  longestRoundMs,
  downsample,
  resolutions,
  windowOf,
} from '../points.ts'
import type { Upkeep } from '../sample-store.ts'
import { objectsIn, rowsPerStatement, writeBlocks } from './rows.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Rounds in progress at the end of a window still belong to it. */
const graceMs = 60_000

/** The maximum of windows per run, so that a run after a long pause stays short. */
const windowsOfRun = 8

/** Moves the head into blocks, downsamples blocks to the coarser resolutions, and deletes blocks past their retention. */
export async function maintainBlocks(upkeep: Upkeep): Promise<void> {
  await collectHead(upkeep)
  await downsampleBlocks(upkeep, 1)
  await downsampleBlocks(upkeep, 2)
  await forgetSamples(upkeep)
}

/** By resolution: how far its windows are processed, in `metric_progress`. */
const names = ['head', 'minutes', 'hours'] as const

const processedUntil = async (db: Db, name: (typeof names)[number]): Promise<Date | undefined> =>
  (await db.selectFrom('metric_progress').select('until').where('name', '=', name).executeTakeFirst())?.until

/**
 * The windows of a resolution that end by `ready` (ms) and are not processed yet. `next` gives the time of the first
 * samples that those from a time on may need: a long stop leaves many windows without any, which are skipped.
 */
async function* openWindows(
  { db, isEnding }: Upkeep,
  resolution: 0 | 1 | 2,
  ready: number,
  next: (from: number) => Promise<Date | undefined>,
): AsyncGenerator<number> {
  const { windowMs } = resolutions[resolution]
  const name = names[resolution]
  const markProcessed = async (until: number): Promise<void> => {
    await db
      .insertInto('metric_progress')
      .values({ name, until: new Date(until) })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ until: new Date(until) }))
      .execute()
  }
  const done = (await processedUntil(db, name))?.getTime()
  const isBehind = done === undefined || done + windowsOfRun * windowMs < ready
  const first = isBehind ? (await next(done ?? 0))?.getTime() : undefined
  const begin = done ?? first
  if (begin === undefined) return
  let starts = windowOf(begin, windowMs)
  const filled = windowOf(Math.min(first ?? ready, ready), windowMs)
  if (isBehind && filled > starts) {
    starts = filled
    await markProcessed(starts)
  }
  for (let count = 0; count < windowsOfRun; count++) {
    if (starts + windowMs > ready || isEnding()) return
    yield starts
    starts += windowMs
    await markProcessed(starts)
  }
}

/** Each window of the head becomes one block per object. A crash between writing and deleting repeats both. */
async function collectHead(upkeep: Upkeep): Promise<void> {
  const { db, now } = upkeep
  const [{ windowMs }] = resolutions
  const oldest = async () =>
    (
      await db
        .selectFrom('metric_head')
        .select((eb) => eb.fn.min('at').as('at'))
        .executeTakeFirst()
    )?.at
  for await (const starts of openWindows(upkeep, 0, now.getTime() - graceMs, oldest)) {
    const [from, to] = [new Date(starts), new Date(starts + windowMs)]
    let after = -1
    for (;;) {
      const next = await db
        .selectFrom('metric_head')
        .select('chunk as shard')
        .where('chunk', '>', after)
        .orderBy('chunk')
        .limit(1)
        .executeTakeFirst()
      if (!next) break
      after = next.shard
      await collectShard(db, next.shard, from, to)
    }
  }
}

async function collectShard(db: Db, shard: number, from: Date, to: Date): Promise<void> {
  const rows = await db
    .selectFrom('metric_head')
    .select(['at', 'data'])
    .where('chunk', '=', shard)
    .where('at', '<', to)
    .orderBy('at')
    .execute()
  if (rows.length === 0) return
  const objects = new Map<number, PointsBySeries>()
  for (const { data } of rows)
    for (const [object, bytes] of objectsIn(data)) mergeInto(objects, object, decodeBlock(bytes))
  await writeBlocks(db, 0, from, objects)
  await db
    .updateTable('metric_lane')
    // After a long stop, samples older than an object's last come to their block later.
    .set((eb) => ({ last_at: eb.fn('greatest', ['last_at', eb.val(to)]) }))
    .where('id', 'in', [...objects.keys()])
    .execute()
  await db.deleteFrom('metric_head').where('chunk', '=', shard).where('at', '<', to).execute()
}

function mergeInto(objects: Map<number, PointsBySeries>, object: number, more: PointsBySeries): void {
  let all = objects.get(object)
  if (!all) objects.set(object, (all = new Map()))
  for (const [series, points] of more) {
    let known = all.get(series)
    if (!known) all.set(series, (known = emptyPoints(points.starts !== null)))
    appendLater(known, points)
  }
}

/** Merges the blocks of the next finer resolution into one of this resolution. */
async function downsampleBlocks(upkeep: Upkeep, resolution: 1 | 2): Promise<void> {
  const { db, now } = upkeep
  const { windowMs, everyMs } = resolutions[resolution]
  const finer = resolution === 1 ? 0 : 1
  // After a long stop the finer resolution, with its shorter windows, catches up last; until then its blocks are missing.
  const finerUntil = await processedUntil(db, names[finer])
  if (!finerUntil) return
  // Only raw samples can be in a block of a later window.
  const laterMs = resolution === 1 ? longestRoundMs : 0
  const ready = Math.min(now.getTime() - graceMs, finerUntil.getTime()) - laterMs
  const next = async (from: number) => {
    const block = await db
      .selectFrom('metric_block')
      .select((eb) => eb.fn.min('starts').as('starts'))
      .where('tier', '=', finer)
      // A finer window may begin before this one.
      .where('starts', '>=', new Date(Math.max(0, from - resolutions[finer].windowMs)))
      .executeTakeFirst()
    return block?.starts && new Date(block.starts.getTime() - laterMs)
  }
  for await (const starts of openWindows(upkeep, resolution, ready, next)) {
    // A finer window may begin before this one.
    const [from, to] = [new Date(starts - resolutions[finer].windowMs), new Date(starts + windowMs + laterMs)]
    let after = -1
    for (;;) {
      const ids = await objectsAfter(db, finer, from, to, after)
      const last = ids.at(-1)
      if (last === undefined) break
      after = last
      await downsampleObjects(db, resolution, finer, {
        ids,
        from,
        to,
        starts,
        end: starts + windowMs,
        everyMs,
      })
    }
  }
}

/** A few at a time, because all their blocks of a window are in memory. */
const objectsAtOnce = rowsPerStatement / 4

const objectsAfter = async (
  db: Db,
  resolution: number,
  from: Date,
  to: Date,
  after: number,
): Promise<number[]> =>
  (
    await db
      .selectFrom('metric_block')
      .select('lane as object')
      .distinct()
      .where('tier', '=', resolution)
      .where('starts', '>=', from)
      .where('starts', '<', to)
      .where('lane', '>', after)
      .orderBy('lane')
      .limit(objectsAtOnce)
      .execute()
  ).map(({ object }) => object)

interface DownsampledWindow {
  ids: readonly number[]
  from: Date
  to: Date
  starts: number
  end: number
  everyMs: number
}

async function downsampleObjects(
  db: Db,
  resolution: number,
  finer: number,
  { ids, from, to, starts, end, everyMs }: DownsampledWindow,
): Promise<void> {
  const finest = await db
    .selectFrom('metric_block')
    .select(['lane as object', 'data'])
    .where('lane', 'in', ids)
    .where('tier', '=', finer)
    .where('starts', '>=', from)
    .where('starts', '<', to)
    .orderBy('lane')
    .orderBy('starts')
    .execute()
  // Samples from before this server took its own already exist.
  const own = await db
    .selectFrom('metric_block')
    .select(['lane as object', 'data'])
    .where('lane', 'in', ids)
    .where('tier', '=', resolution)
    .where('starts', '=', new Date(starts))
    .execute()
  const fine = new Map<number, PointsBySeries>()
  for (const { object, data } of finest) mergeInto(fine, object, decodeBlock(data))
  const objects = new Map<number, PointsBySeries>()
  for (const { object, data } of own) mergeInto(objects, object, decodeBlock(data))
  for (const [object, points] of fine) {
    const downsampled = [...points].map(
      ([series, all]) => [series, downsample(between(all, starts, end), everyMs)] as const,
    )
    mergeInto(objects, object, new Map(downsampled.filter(([, { times }]) => times.length > 0)))
  }
  await writeBlocks(db, resolution, new Date(starts), objects)
}

const rowsAtOnce = 1000

/** Deletes blocks by the index on their time, but never before the coarser resolution has merged them. */
async function forgetSamples({ db, now, retention, isEnding }: Upkeep): Promise<void> {
  const untils = await db.selectFrom('metric_progress').select(['name', 'until']).execute()
  const mergedUntil = (name: string): number =>
    untils.find((one) => one.name === name)?.until.getTime() ?? -Infinity
  const time = now.getTime()
  const limits = [
    Math.min(time - retention.raw_hours * hourMs, mergedUntil('minutes')) - resolutions[0].windowMs,
    Math.min(time - retention.minute_days * dayMs, mergedUntil('hours')) - resolutions[1].windowMs,
    time - retention.hour_days * dayMs - resolutions[2].windowMs,
  ]
  for (const [resolution, limit] of limits.entries()) {
    if (!(limit > 0)) continue
    for (;;) {
      const old = await db
        .selectFrom('metric_block')
        .select(['lane as object', 'starts'])
        .where('tier', '=', resolution)
        .where('starts', '<', new Date(limit))
        .orderBy('starts')
        .limit(rowsAtOnce)
        .execute()
      const objects = [...new Set(old.map(({ object }) => object))]
      const last = old.at(-1)
      if (!last || isEnding()) break
      await db
        .deleteFrom('metric_block')
        .where('tier', '=', resolution)
        .where('lane', 'in', objects)
        .where('starts', '<=', last.starts)
        .execute()
    }
  }
  await forgetObjects(db, new Date(time - retention.hour_days * dayMs - resolutions[2].windowMs))
}

/** Forgets objects deleted for longer than any retention. */
async function forgetObjects(db: Db, before: Date): Promise<void> {
  const old = await db
    .selectFrom('metric_lane')
    .select('id')
    .where('last_at', '<', before)
    .orderBy('last_at')
    .limit(rowsAtOnce)
    .execute()
  const ids = old.map(({ id }) => id)
  if (ids.length === 0) return
  await db.deleteFrom('timeseries').where('lane', 'in', ids).execute()
  await db.deleteFrom('metric_lane').where('id', 'in', ids).execute()
}
