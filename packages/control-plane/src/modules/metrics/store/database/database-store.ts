import { sql } from 'kysely'
import type { Reader } from '@gantry/control-plane/db/database'
import type { Fields, ReadRequest, StoredTimeseries, TimeRange } from '@gantry/control-plane/oxql/model'
import { rangeFor } from '@gantry/control-plane/oxql/select'
import type { KnownSchema } from '../../query/catalogue.ts'
import { decodeBlock } from './codec.ts'
import { isIn, type NewestSample, type SampleStore, type Scope, type WantedNewest } from '../sample-store.ts'
import { rangeInMs, limitPoints, storedTimeseries, typedFields } from '../conversions.ts'
import { type HeadCache, readObject } from './read-object.ts'
import { objectsIn, shardOf } from './rows.ts'
import { maintainBlocks } from './upkeep.ts'
import { DatabaseWriter } from './writer.ts'

/** Samples in the control plane's own database. */
export const databaseStore: SampleStore = {
  writer: (db) => new DatabaseWriter(db),
  read: readSamples,
  newest: newestInHead,
  upkeep: maintainBlocks,
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
  series: number
  fields: Fields
  range: TimeRange
}

async function* readSamples(
  db: Reader,
  known: KnownSchema,
  request: ReadRequest,
  now: number,
): AsyncGenerator<StoredTimeseries> {
  let left = request.maxPoints
  const head: HeadCache = new Map()
  for await (const [object, all] of matchingObjects(db, known, request)) {
    await request.check()
    const wanted = new Map(all.map((one) => [one.series, one]))
    const sampledMs = new Map(all.map(({ series }) => [series, known.sampledMs]))
    const bounds = rangeInMs({
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
    const read = (from: number) => readObject(db, object, { ...needed, from, sampledMs, head })
    const recent = recentStart(request, bounds, now)
    let points = await read(recent ?? bounds.from)
    if (
      recent !== undefined &&
      [...points.values()].some(({ times }) => times.length < (request.limit?.count ?? 0))
    )
      points = await read(bounds.from)
    for (const [series, found] of points) {
      const one = wanted.get(series)
      const limited = limitPoints(found, request.limit)
      if (!one || limited.times.length === 0) continue
      left -= limited.times.length
      yield storedTimeseries(one.fields, limited)
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

/** The objects with requested timeseries. The index finds equal fields; other conditions filter its result. */
async function* matchingObjects(
  db: Reader,
  known: KnownSchema,
  request: ReadRequest,
): AsyncGenerator<[object: number, wanted: Wanted[]]> {
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
  const since = new Date(Math.max(0, rangeInMs(request).from - slackMs))
  let after = { object: -1, series: -1 }
  let open: [number, Wanted[]] | undefined
  for (;;) {
    await request.check()
    const rows = await db
      .selectFrom('timeseries as t')
      .innerJoin('metric_lane as l', 'l.id', 't.lane')
      .select(['t.lane as object', 't.slot as series', 't.fields'])
      .where('t.name', '=', request.name)
      .where('l.last_at', '>=', since)
      .where(matches)
      .where(sql<boolean>`(t.lane, t.slot) > (${after.object}::int8, ${after.series}::int4)`)
      .orderBy('t.lane')
      .orderBy('t.slot')
      .limit(pageRows)
      .execute()
    for (const { object, series, fields: plain } of rows) {
      after = { object, series }
      const fields = typedFields(known, plain)
      const range = rangeFor(request, fields)
      if (!range) continue
      if (open && open[0] !== object) {
        yield open
        open = undefined
      }
      open ??= [object, []]
      open[1].push({ series, fields, range })
    }
    if (rows.length < pageRows) break
  }
  if (open) yield open
}

/** Shards per statement. */
const shardsAtOnce = 4

/** The objects of running instances of some projects; undefined: every object. */
async function objectsInScope(db: Reader, since: Date, of: Scope): Promise<Set<number> | undefined> {
  if (of === 'all') return undefined
  const { rows } = await sql<{ id: number }>`
    SELECT l.id FROM project p JOIN instance i ON i.project_id = p.id AND i.time_deleted IS NULL
    JOIN metric_lane l ON l.source = 'instance:' || i.id
    WHERE ${isIn(of)} AND l.last_at >= ${new Date(since.getTime() - slackMs)}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

async function* newestInHead(db: Reader, { since, of }: WantedNewest): AsyncGenerator<NewestSample> {
  const visible = await objectsInScope(db, since, of)
  // A shard holds objects of others, too; these are not decoded.
  const shards = visible && [...new Set([...visible].map(shardOf))].sort((one, other) => one - other)
  for (let after = -1; ;) {
    const next = shards?.filter((shard) => shard > after).slice(0, shardsAtOnce)
    if (next?.length === 0) return
    const { rows } = await sql<{ shard: number; data: Uint8Array }>`
      SELECT DISTINCT ON (chunk) chunk AS shard, data FROM metric_head
      WHERE ${next ? sql`chunk = ANY (${next}::int8[])` : sql`chunk > ${after}`} AND at > ${since}
      ORDER BY chunk, at DESC LIMIT ${shardsAtOnce}`.execute(db)
    const last = next?.at(-1) ?? rows.at(-1)?.shard
    if (last === undefined) return
    after = last
    const objects = new Map(
      rows.flatMap(({ data }) => [...objectsIn(data)].filter(([object]) => !visible || visible.has(object))),
    )
    if (objects.size > 0) yield* newestIn(db, objects)
  }
}

async function* newestIn(db: Reader, objects: ReadonlyMap<number, Uint8Array>): AsyncGenerator<NewestSample> {
  const timeseries = await db
    .selectFrom('timeseries')
    .select(['lane as object', 'slot as series', 'name', 'fields'])
    .where('lane', 'in', [...objects.keys()])
    .orderBy('lane')
    .execute()
  let open: { object: number; points: ReturnType<typeof decodeBlock> } | undefined
  for (const { object, series, name, fields } of timeseries) {
    const bytes = objects.get(object)
    if (bytes && open?.object !== object) open = { object, points: decodeBlock(bytes) }
    const value = open?.points.get(series)?.values.at(-1)
    if (typeof value === 'number') yield { name, fields, value }
  }
}
