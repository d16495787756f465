import { sql } from 'kysely'
import type { Reader } from '@gantry/control-plane/db/database'
import type { Fields, ReadRequest, StoredTimeseries, TimeRange } from '@gantry/control-plane/oxql/model'
import { rangeFor } from '@gantry/control-plane/oxql/select'
import type { KnownSchema } from '../../query/catalogue.ts'
import { decodeLane } from './codec.ts'
import { isIn, type NewestSample, type SampleStore, type Scope, type WantedNewest } from '../sample-store.ts'
import { inMs, limit, stored, typed } from '../conversions.ts'
import { chunkOf, type HeadCache, Lanes, lanesIn, readLane } from './writer.ts'
import { keepBlocks } from './upkeep.ts'

/** Samples in the control plane's own database. */
export const databaseStore: SampleStore = {
  writer: (db) => new Lanes(db),
  read: readLanes,
  newest: newestInHead,
  upkeep: keepBlocks,
}

/** Timeseries per statement. */
const pageRows = 1000
/**
 * Objects whose samples ended this long before a range have none in it; the margin exists because windows end later
 * than their samples.
 */
const slackMs = 30 * 60_000

/** Samples of a timeseries that may be read beyond those requested: a downsampled one stands for up to an hour. */
const slackSamples = 1000

interface Wanted {
  slot: number
  fields: Fields
  range: TimeRange
}

async function* readLanes(
  db: Reader,
  known: KnownSchema,
  request: ReadRequest,
  now: number,
): AsyncGenerator<StoredTimeseries> {
  let left = request.maxPoints
  const head: HeadCache = new Map()
  for await (const [lane, all] of lanesOf(db, known, request)) {
    await request.check()
    const wanted = new Map(all.map((one) => [one.slot, one]))
    const sampledMs = new Map(all.map(({ slot }) => [slot, known.sampledMs]))
    const bounds = inMs({
      from: Math.min(...all.map(({ range }) => range.from)),
      to: Math.max(...all.map(({ range }) => range.to)),
    })
    const needed = {
      ...bounds,
      maxSamples: Math.min(left, request.limit?.count ?? Infinity),
      maxHeld: left + slackSamples * all.length,
      keeps: request.limit?.kind ?? 'first',
      pause: request.check,
    } as const
    const read = (from: number) => readLane(db, lane, { ...needed, from, sampledMs, head })
    const recent = recentStart(request, bounds, now)
    let points = await read(recent ?? bounds.from)
    if (
      recent !== undefined &&
      [...points.values()].some(({ times }) => times.length < (request.limit?.count ?? 0))
    )
      points = await read(bounds.from)
    for (const [slot, found] of points) {
      const one = wanted.get(slot)
      const limited = limit(found, request.limit)
      if (!one || limited.times.length === 0) continue
      left -= limited.times.length
      yield stored(one.fields, limited)
      if (left < 0) return
    }
  }
}

/** Most `last N` queries end here. */
const recentMs = 3_600_000

/** The start of the first read (ms), if the newest samples are requested and may suffice. */
function recentStart(
  { limit: wanted }: ReadRequest,
  { from, to }: { from: number; to: number },
  now: number,
): number | undefined {
  const recent = Math.min(to, now) - recentMs
  return wanted?.kind === 'last' && recent > from ? recent : undefined
}

/** The lanes with requested timeseries. The index finds equal fields; other conditions filter its result. */
async function* lanesOf(
  db: Reader,
  known: KnownSchema,
  request: ReadRequest,
): AsyncGenerator<[lane: number, wanted: Wanted[]]> {
  const equals = request.any.map(({ tests }) =>
    JSON.stringify(
      Object.fromEntries(
        tests
          .filter(({ operator, value }) => operator === '==' && typeof value.value !== 'bigint')
          .map(({ field, value }) => [field, value.value]),
      ),
    ),
  )
  const matches = sql<boolean>`(${sql.join(
    equals.map((fields) => sql`t.fields @> ${fields}::jsonb`),
    sql` OR `,
  )})`
  const since = new Date(Math.max(0, inMs(request).from - slackMs))
  let after = { lane: -1, slot: -1 }
  let open: [number, Wanted[]] | undefined
  for (;;) {
    await request.check()
    const rows = await db
      .selectFrom('timeseries as t')
      .innerJoin('metric_lane as l', 'l.id', 't.lane')
      .select(['t.lane', 't.slot', 't.fields'])
      .where('t.name', '=', request.name)
      .where('l.last_at', '>=', since)
      .where(matches)
      .where(sql<boolean>`(t.lane, t.slot) > (${after.lane}::int8, ${after.slot}::int4)`)
      .orderBy('t.lane')
      .orderBy('t.slot')
      .limit(pageRows)
      .execute()
    for (const { lane, slot, fields: plain } of rows) {
      after = { lane, slot }
      const fields = typed(known, plain)
      const range = rangeFor(request, fields)
      if (!range) continue
      if (open && open[0] !== lane) {
        yield open
        open = undefined
      }
      open ??= [lane, []]
      open[1].push({ slot, fields, range })
    }
    if (rows.length < pageRows) break
  }
  if (open) yield open
}

/** Chunks of lanes per statement. */
const chunksAtOnce = 4

/** The lanes of running instances of some projects; undefined: every lane. */
async function lanesOfScope(db: Reader, since: Date, of: Scope): Promise<Set<number> | undefined> {
  if (of === 'all') return undefined
  const { rows } = await sql<{ id: number }>`
    SELECT l.id FROM project p JOIN instance i ON i.project_id = p.id AND i.time_deleted IS NULL
    JOIN metric_lane l ON l.source = 'instance:' || i.id
    WHERE ${isIn(of)} AND l.last_at >= ${new Date(since.getTime() - slackMs)}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

async function* newestInHead(db: Reader, { since, of }: WantedNewest): AsyncGenerator<NewestSample> {
  const visible = await lanesOfScope(db, since, of)
  // A chunk holds lanes of others, too; these are not decoded.
  const chunks = visible && [...new Set([...visible].map(chunkOf))].sort((one, other) => one - other)
  for (let after = -1; ;) {
    const next = chunks?.filter((chunk) => chunk > after).slice(0, chunksAtOnce)
    if (next?.length === 0) return
    const { rows } = await sql<{ chunk: number; data: Uint8Array }>`
      SELECT DISTINCT ON (chunk) chunk, data FROM metric_head
      WHERE ${next ? sql`chunk = ANY (${next}::int8[])` : sql`chunk > ${after}`} AND at > ${since}
      ORDER BY chunk, at DESC LIMIT ${chunksAtOnce}`.execute(db)
    const last = next?.at(-1) ?? rows.at(-1)?.chunk
    if (last === undefined) return
    after = last
    const lanes = new Map(
      rows.flatMap(({ data }) => [...lanesIn(data)].filter(([lane]) => !visible || visible.has(lane))),
    )
    if (lanes.size > 0) yield* newestIn(db, lanes)
  }
}

async function* newestIn(db: Reader, lanes: ReadonlyMap<number, Uint8Array>): AsyncGenerator<NewestSample> {
  const series = await db
    .selectFrom('timeseries')
    .select(['lane', 'slot', 'name', 'fields'])
    .where('lane', 'in', [...lanes.keys()])
    .orderBy('lane')
    .execute()
  let open: { lane: number; points: ReturnType<typeof decodeLane> } | undefined
  for (const { lane, slot, name, fields } of series) {
    const bytes = lanes.get(lane)
    if (bytes && open?.lane !== lane) open = { lane, points: decodeLane(bytes) }
    const value = open?.points.get(slot)?.values.at(-1)
    if (typeof value === 'number') yield { name, fields, value }
  }
}
