import { sql } from 'kysely'
import type { Db, Reader } from '@gantry/control-plane/db/database'
import { ByteReader, ByteWriter } from './bytes.ts'
import { decodeLane, encodeLane, type LanePoints } from './codec.ts'
import { byWindow } from './by-window.ts'
import { appendLater, between, emptyPoints, longestRoundMs, type Needed, spread, tiers } from '../points.ts'
import { RecordedNames } from '../../sampling/recorded-names.ts'
import type { SampleWriter } from '../sample-store.ts'
import type { PlainFields, SourceSamples } from '../../sampling/samples.ts'
import { dateOf } from '../conversions.ts'

/** Lanes per head row: a round is a few rows, and a lane's part is quick to find. */
const lanesOfChunk = 64
/** Rows per statement, to limit its size in bytes. */
export const blockRows = 100

interface KnownLane {
  id: number
  slots: Map<string, number>
}

/** Writes samples under the numbers assigned in earlier rounds. Used only by the process that takes samples. */
export class Lanes implements SampleWriter {
  readonly #known = new Map<string, KnownLane>()
  readonly #names: RecordedNames

  constructor(readonly db: Db) {
    this.#names = new RecordedNames(db)
  }

  async write(batch: readonly SourceSamples[], at: Date): Promise<void> {
    await writeRound(this.db, at, await this.number(batch, at))
  }

  async writePast(batch: readonly SourceSamples[], until: Date): Promise<void> {
    const { tier, windowMs } = tiers[1]
    for (const [starts, lanes] of byWindow(await this.number(batch, until), windowMs))
      await writeBlocks(this.db, tier, new Date(starts), lanes)
  }

  /** Forgets objects not sampled in this round. */
  keep(sources: ReadonlySet<string>): void {
    for (const source of this.#known.keys()) if (!sources.has(source)) this.#known.delete(source)
  }

  /** The samples by lane and slot. Assigns numbers to new timeseries first. */
  async number(batch: readonly SourceSamples[], now: Date): Promise<Map<number, LanePoints>> {
    await this.#load(
      batch.map(({ source }) => source).filter((source) => !this.#known.has(source)),
      now,
    )
    const added: { lane: number; slot: number; name: string; fields: string }[] = []
    const numbered = new Map<number, LanePoints>()
    for (const { source, timeseries } of batch) {
      const lane = this.#known.get(source)
      if (!lane) throw new Error(`no lane for ${source}`)
      const points: LanePoints = new Map()
      // Samples of one object share their start column, so that comparing identities suffices.
      for (const { name, fields, times, since, values } of timeseries) {
        const key = keyOf(name, fields)
        let slot = lane.slots.get(key)
        if (slot === undefined) {
          slot = lane.slots.size
          lane.slots.set(key, slot)
          added.push({ lane: lane.id, slot, name, fields: JSON.stringify(fields) })
        }
        points.set(slot, { times, starts: since === undefined ? null : times.map(() => since), values })
      }
      numbered.set(lane.id, points)
    }
    try {
      await this.#add(added, now)
    } catch (error) {
      // Numbers that were not stored would count as known, and their samples could never be read.
      for (const { source } of batch) this.#known.delete(source)
      throw error
    }
    return numbered
  }

  async #load(sources: readonly string[], now: Date): Promise<void> {
    for (let at = 0; at < sources.length; at += blockRows) {
      const some = sources.slice(at, at + blockRows)
      const { last } = await this.db
        .selectFrom('metric_lane')
        .select((eb) => eb.fn.max('id').as('last'))
        .executeTakeFirstOrThrow()
      await this.db
        .insertInto('metric_lane')
        .values(some.map((source, index) => ({ id: (last ?? 0) + 1 + index, source, last_at: now })))
        .onConflict((conflict) =>
          // Finds an object that is sampled again after a pause.
          conflict.column('source').doUpdateSet((eb) => ({ last_at: eb.ref('excluded.last_at') })),
        )
        .execute()
      const rows = await this.db
        .selectFrom('metric_lane as l')
        .leftJoin('timeseries as t', 't.lane', 'l.id')
        .select(['l.id', 'l.source', 't.slot', 't.name', 't.fields'])
        .where('l.source', 'in', some)
        .execute()
      for (const { id, source, slot, name, fields } of rows) {
        const lane = this.#known.get(source) ?? { id, slots: new Map<string, number>() }
        this.#known.set(source, lane)
        if (slot !== null && name !== null && fields !== null) lane.slots.set(keyOf(name, fields), slot)
      }
    }
  }

  async #add(
    added: readonly { lane: number; slot: number; name: string; fields: string }[],
    now: Date,
  ): Promise<void> {
    await this.#names.add(
      added.map(({ name }) => name),
      now,
    )
    for (let at = 0; at < added.length; at += 10 * blockRows)
      await this.db
        .insertInto('timeseries')
        .values(added.slice(at, at + 10 * blockRows))
        .execute()
  }
}

const keyOf = (name: string, fields: PlainFields): string =>
  `${name} ${Object.keys(fields)
    .sort()
    .map((field) => `${field}=${String(fields[field])}`)
    .join(' ')}`

/** Writes one round: a row for each chunk of lanes. */
export async function writeRound(db: Db, at: Date, numbered: ReadonlyMap<number, LanePoints>): Promise<void> {
  const chunks = new Map<number, ByteWriter>()
  for (const [lane, points] of numbered) {
    const chunk = chunkOf(lane)
    let writer = chunks.get(chunk)
    if (!writer) chunks.set(chunk, (writer = new ByteWriter()))
    const bytes = encodeLane(points)
    writer.natural(lane)
    writer.natural(bytes.length)
    writer.append(bytes)
  }
  const rows = [...chunks].map(([chunk, writer]) => ({ chunk, at, data: writer.done() }))
  for (let from = 0; from < rows.length; from += blockRows)
    await db
      .insertInto('metric_head')
      .values(rows.slice(from, from + blockRows))
      // The samples of a chunk may be written in parts.
      .onConflict((conflict) =>
        conflict.columns(['chunk', 'at']).doUpdateSet({ data: sql`metric_head.data || excluded.data` }),
      )
      .execute()
}

/** The number of the head's rows that hold a lane. */
export const chunkOf = (lane: number): number => Math.floor(lane / lanesOfChunk)

/** The parts of a row of the head, by lane. */
export function* lanesIn(data: Uint8Array): Generator<[lane: number, bytes: Uint8Array]> {
  const reader = new ByteReader(data)
  while (!reader.isAtEnd) {
    const lane = reader.natural()
    yield [lane, reader.take(reader.natural())]
  }
}

/** Overwrites whole blocks: repeated upkeep writes the same blocks again. */
export async function writeBlocks(
  db: Db,
  tier: number,
  starts: Date,
  lanes: ReadonlyMap<number, LanePoints>,
): Promise<void> {
  const rows = [...lanes].map(([lane, points]) => ({ lane, tier, starts, data: encodeLane(points) }))
  for (let from = 0; from < rows.length; from += blockRows)
    await db
      .insertInto('metric_block')
      .values(rows.slice(from, from + blockRows))
      .onConflict((conflict) =>
        conflict.columns(['lane', 'tier', 'starts']).doUpdateSet({ data: sql`excluded.data` }),
      )
      .execute()
}

/** What to read of a lane: the slots with their sampling intervals, and the samples that each needs of a tier. */
export interface LaneRange extends Needed {
  to: number
  sampledMs: ReadonlyMap<number, number>
  /** For reading several lanes, whose chunks are consecutive. */
  head?: HeadCache
  /** Reading may stop once it holds more samples than this, those of all slots together. */
  maxHeld?: number
  /** Awaited after so many samples were handled: a lane of many vCPUs has most of what a query may read. */
  pause?: (samples: number) => Promise<void> | void
}
export type HeadCache = Map<string, Uint8Array[]>

/** The samples of a lane in a time range. Coarse samples outlive fine ones; where both exist, the fine ones count. */
export async function readLane(db: Reader, lane: number, range: LaneRange): Promise<LanePoints> {
  const { from, to, sampledMs, maxHeld = Infinity, pause } = range
  const wanted = new Set(sampledMs.keys())
  const all: LanePoints = new Map([...wanted].map((slot) => [slot, emptyPoints(false)]))
  let earliest = to
  let held = 0
  const decoded = async (encoded: readonly Uint8Array[]): Promise<LanePoints[]> => {
    const parts: LanePoints[] = []
    for (const bytes of encoded) {
      const part = decodeLane(bytes, wanted)
      parts.push(part)
      await pause?.(samplesOf(part))
    }
    return parts
  }
  const prepend = async (encoded: readonly Uint8Array[], everyMs: number | undefined): Promise<void> => {
    const parts = await decoded(encoded)
    const end = earliest
    for (const slot of wanted) {
      const isTotal = parts.some((part) => part.get(slot)?.starts)
      const before = emptyPoints(isTotal)
      for (const part of parts) {
        const points = part.get(slot)
        if (points) appendLater(before, points)
      }
      const cut = between(before, -Infinity, end)
      const [first] = cut.times
      if (first === undefined) continue
      earliest = Math.min(earliest, first)
      const later = all.get(slot) ?? emptyPoints(isTotal)
      // With the first finer sample, which would otherwise seem to count all since the last coarse one by itself.
      const [next = end] = later.times
      appendLater(cut, between(later, next, next + 1))
      const full = everyMs ? spread(cut, everyMs, sampledMs.get(slot) ?? everyMs, range) : cut
      appendLater(full, later)
      all.set(slot, full)
      held += full.times.length - later.times.length
      if (held > maxHeld) return
      await pause?.(full.times.length)
    }
  }

  const rounds = await roundsOf(db, range, chunkOf(lane))
  const head = rounds.flatMap((data) =>
    [...lanesIn(data)].filter(([id]) => id === lane).map(([, bytes]) => bytes),
  )
  await prepend(head, undefined)
  // Most reads of recent samples end here, without a statement per tier, because no sample fits before the earliest.
  const leastMs = Math.min(...sampledMs.values())
  for (const { tier, everyMs, windowMs } of tiers) {
    if (earliest - leastMs < from || held > maxHeld) break
    const blocks = await db
      .selectFrom('metric_block')
      .select('data')
      .where('lane', '=', lane)
      .where('tier', '=', tier)
      .where('starts', '<', dateOf(tier === 0 ? earliest + longestRoundMs : earliest))
      .where('starts', '>=', dateOf(from - windowMs))
      .orderBy('starts')
      .execute()
    await prepend(
      blocks.map(({ data }) => data),
      everyMs,
    )
  }
  for (const [slot, points] of all) all.set(slot, between(points, from, to))
  return all
}

function samplesOf(lane: LanePoints): number {
  let samples = 0
  for (const { times } of lane.values()) samples += times.length
  return samples
}

async function roundsOf(db: Reader, { from, to, head }: LaneRange, chunk: number): Promise<Uint8Array[]> {
  const key = `${chunk} ${from} ${to}`
  const known = head?.get(key)
  if (known) return known
  const rows = await db
    .selectFrom('metric_head')
    .select('data')
    .where('chunk', '=', chunk)
    .where('at', '>=', dateOf(from))
    .where('at', '<', dateOf(to + longestRoundMs))
    .orderBy('at')
    .execute()
  const rounds = rows.map(({ data }) => data)
  head?.clear()
  head?.set(key, rounds)
  return rounds
}
