import type { Db } from '@gantry/control-plane/db/database'
import { decodeLane, type LanePoints } from './codec.ts'
import { appendLater, between, emptyPoints, longestRoundMs, thin, tiers, windowOf } from '../points.ts'
import type { Upkeep } from '../sample-store.ts'
import { blockRows, lanesIn, writeBlocks } from './writer.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Rounds in progress at the end of a window still belong to it. */
const graceMs = 60_000

/** The maximum of windows per run, so that a run after a long pause stays short. */
const windowsOfRun = 8

/** Moves the head into blocks, downsamples blocks for the coarser tiers, and deletes blocks past their retention. */
export async function keepBlocks(upkeep: Upkeep): Promise<void> {
  await collectHead(upkeep)
  await thinBlocks(upkeep, 1)
  await thinBlocks(upkeep, 2)
  await forgetSamples(upkeep)
}

/** By tier: how far its windows are processed, in `metric_progress`. */
const names = ['head', 'minutes', 'hours'] as const

const processedUntil = async (db: Db, name: (typeof names)[number]): Promise<Date | undefined> =>
  (await db.selectFrom('metric_progress').select('until').where('name', '=', name).executeTakeFirst())?.until

/**
 * The windows of a tier that end by `ready` (ms) and are not processed yet. `next` gives the time of the first samples
 * that those from a time on may need: a long stop leaves many windows without any, which are skipped.
 */
async function* openWindows(
  { db, isEnding }: Upkeep,
  tier: 0 | 1 | 2,
  ready: number,
  next: (from: number) => Promise<Date | undefined>,
): AsyncGenerator<number> {
  const { windowMs } = tiers[tier]
  const name = names[tier]
  const reach = async (until: number): Promise<void> => {
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
    await reach(starts)
  }
  for (let count = 0; count < windowsOfRun; count++) {
    if (starts + windowMs > ready || isEnding()) return
    yield starts
    starts += windowMs
    await reach(starts)
  }
}

/** Each window of the head becomes one block per lane. A crash between writing and deleting repeats both. */
async function collectHead(upkeep: Upkeep): Promise<void> {
  const { db, now } = upkeep
  const [{ windowMs }] = tiers
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
        .select('chunk')
        .where('chunk', '>', after)
        .orderBy('chunk')
        .limit(1)
        .executeTakeFirst()
      if (!next) break
      after = next.chunk
      await collectChunk(db, next.chunk, from, to)
    }
  }
}

async function collectChunk(db: Db, chunk: number, from: Date, to: Date): Promise<void> {
  const rows = await db
    .selectFrom('metric_head')
    .select(['at', 'data'])
    .where('chunk', '=', chunk)
    .where('at', '<', to)
    .orderBy('at')
    .execute()
  if (rows.length === 0) return
  const lanes = new Map<number, LanePoints>()
  for (const { data } of rows)
    for (const [lane, bytes] of lanesIn(data)) mergeInto(lanes, lane, decodeLane(bytes))
  await writeBlocks(db, 0, from, lanes)
  await db
    .updateTable('metric_lane')
    // After a long stop, samples older than a lane's last come to their block later.
    .set((eb) => ({ last_at: eb.fn('greatest', ['last_at', eb.val(to)]) }))
    .where('id', 'in', [...lanes.keys()])
    .execute()
  await db.deleteFrom('metric_head').where('chunk', '=', chunk).where('at', '<', to).execute()
}

function mergeInto(lanes: Map<number, LanePoints>, lane: number, more: LanePoints): void {
  let all = lanes.get(lane)
  if (!all) lanes.set(lane, (all = new Map()))
  for (const [slot, points] of more) {
    let known = all.get(slot)
    if (!known) all.set(slot, (known = emptyPoints(points.starts !== null)))
    appendLater(known, points)
  }
}

/** Merges the blocks of the next finer tier into one of this tier. */
async function thinBlocks(upkeep: Upkeep, tier: 1 | 2): Promise<void> {
  const { db, now } = upkeep
  const { windowMs, everyMs } = tiers[tier]
  const finer = tier === 1 ? 0 : 1
  // After a long stop the finer tier, with its shorter windows, catches up last, and its blocks do not exist before.
  const finerUntil = await processedUntil(db, names[finer])
  if (!finerUntil) return
  // Only raw samples can be in a block of a later window.
  const laterMs = tier === 1 ? longestRoundMs : 0
  const ready = Math.min(now.getTime() - graceMs, finerUntil.getTime()) - laterMs
  const next = async (from: number) => {
    const block = await db
      .selectFrom('metric_block')
      .select((eb) => eb.fn.min('starts').as('starts'))
      .where('tier', '=', finer)
      // A finer window may begin before this one.
      .where('starts', '>=', new Date(Math.max(0, from - tiers[finer].windowMs)))
      .executeTakeFirst()
    return block?.starts && new Date(block.starts.getTime() - laterMs)
  }
  for await (const starts of openWindows(upkeep, tier, ready, next)) {
    // A finer window may begin before this one.
    const [from, to] = [new Date(starts - tiers[finer].windowMs), new Date(starts + windowMs + laterMs)]
    let after = -1
    for (;;) {
      const ids = await lanesAfter(db, finer, from, to, after)
      const last = ids.at(-1)
      if (last === undefined) break
      after = last
      await thinLanes(db, tier, finer, { ids, from, to, starts, end: starts + windowMs, everyMs })
    }
  }
}

/** A few at a time, because all their blocks of a window are in memory. */
const lanesAtOnce = blockRows / 4

const lanesAfter = async (db: Db, tier: number, from: Date, to: Date, after: number): Promise<number[]> =>
  (
    await db
      .selectFrom('metric_block')
      .select('lane')
      .distinct()
      .where('tier', '=', tier)
      .where('starts', '>=', from)
      .where('starts', '<', to)
      .where('lane', '>', after)
      .orderBy('lane')
      .limit(lanesAtOnce)
      .execute()
  ).map(({ lane }) => lane)

interface Thinned {
  ids: readonly number[]
  from: Date
  to: Date
  starts: number
  end: number
  everyMs: number
}

async function thinLanes(
  db: Db,
  tier: number,
  finer: number,
  { ids, from, to, starts, end, everyMs }: Thinned,
): Promise<void> {
  const finest = await db
    .selectFrom('metric_block')
    .select(['lane', 'data'])
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
    .select(['lane', 'data'])
    .where('lane', 'in', ids)
    .where('tier', '=', tier)
    .where('starts', '=', new Date(starts))
    .execute()
  const fine = new Map<number, LanePoints>()
  for (const { lane, data } of finest) mergeInto(fine, lane, decodeLane(data))
  const lanes = new Map<number, LanePoints>()
  for (const { lane, data } of own) mergeInto(lanes, lane, decodeLane(data))
  for (const [lane, points] of fine) {
    const thinned = [...points].map(
      ([slot, all]) => [slot, thin(between(all, starts, end), everyMs)] as const,
    )
    mergeInto(lanes, lane, new Map(thinned.filter(([, { times }]) => times.length > 0)))
  }
  await writeBlocks(db, tier, new Date(starts), lanes)
}

const rowsAtOnce = 1000

/** Deletes blocks by the index on their time, but never before the coarser tier has merged them. */
async function forgetSamples({ db, now, retention, isEnding }: Upkeep): Promise<void> {
  const untils = await db.selectFrom('metric_progress').select(['name', 'until']).execute()
  const takenOver = (name: string): number =>
    untils.find((one) => one.name === name)?.until.getTime() ?? -Infinity
  const time = now.getTime()
  const limits = [
    Math.min(time - retention.raw_hours * hourMs, takenOver('minutes')) - tiers[0].windowMs,
    Math.min(time - retention.minute_days * dayMs, takenOver('hours')) - tiers[1].windowMs,
    time - retention.hour_days * dayMs - tiers[2].windowMs,
  ]
  for (const [tier, limit] of limits.entries()) {
    if (!(limit > 0)) continue
    for (;;) {
      const old = await db
        .selectFrom('metric_block')
        .select(['lane', 'starts'])
        .where('tier', '=', tier)
        .where('starts', '<', new Date(limit))
        .orderBy('starts')
        .limit(rowsAtOnce)
        .execute()
      const lanes = [...new Set(old.map(({ lane }) => lane))]
      const last = old.at(-1)
      if (!last || isEnding()) break
      await db
        .deleteFrom('metric_block')
        .where('tier', '=', tier)
        .where('lane', 'in', lanes)
        .where('starts', '<=', last.starts)
        .execute()
    }
  }
  await forgetLanes(db, new Date(time - retention.hour_days * dayMs - tiers[2].windowMs))
}

/** Objects gone for longer than any retention. */
async function forgetLanes(db: Db, before: Date): Promise<void> {
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
