import type { Reader } from '@gantry/control-plane/db/database'
import { dateOf } from '../conversions.ts'
import {
  appendLater,
  between,
  emptyPoints,
  longestRoundMs,
  type Needed,
  resolutions,
  spread,
} from '../points.ts'
import { decodeBlock, type PointsBySeries } from './codec.ts'
import { objectsIn, shardOf } from './rows.ts'

/**
 * What to read of an object: its series with their sampling intervals, and the samples that each needs of a
 * resolution.
 */
export interface ObjectRange extends Needed {
  to: number
  sampledMs: ReadonlyMap<number, number>
  /** For reading several objects, whose shards are consecutive. */
  head?: HeadCache
  /** Reading may stop once it holds more samples than this, those of all series together. */
  maxHeld?: number
  /** Awaited after so many samples were handled: an object of many vCPUs has most of what a query may read. */
  pause?: (samples: number) => Promise<void> | void
}
export type HeadCache = Map<string, Uint8Array[]>

/** The samples of an object in a time range. Coarse samples outlive fine ones; where both exist, the fine ones count. */
export async function readObject(db: Reader, object: number, range: ObjectRange): Promise<PointsBySeries> {
  const { from, to, sampledMs, maxHeld = Infinity, pause } = range
  const wanted = new Set(sampledMs.keys())
  const all: PointsBySeries = new Map([...wanted].map((series) => [series, emptyPoints(false)]))
  let earliest = to
  let held = 0
  const decoded = async (encoded: readonly Uint8Array[]): Promise<PointsBySeries[]> => {
    const parts: PointsBySeries[] = []
    for (const bytes of encoded) {
      const part = decodeBlock(bytes, wanted)
      parts.push(part)
      await pause?.(samplesOf(part))
    }
    return parts
  }
  const prepend = async (encoded: readonly Uint8Array[], everyMs: number | undefined): Promise<void> => {
    const parts = await decoded(encoded)
    const end = earliest
    for (const series of wanted) {
      const isTotal = parts.some((part) => part.get(series)?.starts)
      const before = emptyPoints(isTotal)
      for (const part of parts) {
        const points = part.get(series)
        if (points) appendLater(before, points)
      }
      const cut = between(before, -Infinity, end)
      const [first] = cut.times
      if (first === undefined) continue
      earliest = Math.min(earliest, first)
      const later = all.get(series) ?? emptyPoints(isTotal)
      // With the first finer sample, which alone would seem to count everything since the last coarse one.
      const [next = end] = later.times
      appendLater(cut, between(later, next, next + 1))
      const full = everyMs ? spread(cut, everyMs, sampledMs.get(series) ?? everyMs, range) : cut
      appendLater(full, later)
      all.set(series, full)
      held += full.times.length - later.times.length
      if (held > maxHeld) return
      await pause?.(full.times.length)
    }
  }

  const rounds = await roundsOf(db, range, shardOf(object))
  const head = rounds.flatMap((data) =>
    [...objectsIn(data)].filter(([id]) => id === object).map(([, bytes]) => bytes),
  )
  await prepend(head, undefined)
  // Most reads of recent samples end here, without a statement per resolution, because no sample fits before the
  // earliest.
  const leastMs = Math.min(...sampledMs.values())
  for (const { resolution, everyMs, windowMs } of resolutions) {
    if (earliest - leastMs < from || held > maxHeld) break
    const blocks = await db
      .selectFrom('metric_block')
      .select('data')
      .where('lane', '=', object)
      .where('tier', '=', resolution)
      .where('starts', '<', dateOf(resolution === 0 ? earliest + longestRoundMs : earliest))
      .where('starts', '>=', dateOf(from - windowMs))
      .orderBy('starts')
      .execute()
    await prepend(
      blocks.map(({ data }) => data),
      everyMs,
    )
  }
  for (const [series, points] of all) all.set(series, between(points, from, to))
  return all
}

function samplesOf(object: PointsBySeries): number {
  let samples = 0
  for (const { times } of object.values()) samples += times.length
  return samples
}

async function roundsOf(db: Reader, { from, to, head }: ObjectRange, shard: number): Promise<Uint8Array[]> {
  const key = `${shard} ${from} ${to}`
  const known = head?.get(key)
  if (known) return known
  const rows = await db
    .selectFrom('metric_head')
    .select('data')
    .where('chunk', '=', shard)
    .where('at', '>=', dateOf(from))
    .where('at', '<', dateOf(to + longestRoundMs))
    .orderBy('at')
    .execute()
  const rounds = rows.map(({ data }) => data)
  head?.clear()
  head?.set(key, rounds)
  return rounds
}
