import { provisioningMetrics } from '@gantry/api/metric.rules'
import { sql } from 'kysely'
import type { Reader } from '../../db/database.ts'
import type { Fields, ReadRequest, StoredTimeseries, TimeRange, TimeseriesSource } from '../../oxql/model.ts'
import { rangeFor } from '../../oxql/select.ts'
import { catalogue, type KnownSchema } from './catalogue.ts'
import type { Points } from './codec.ts'
import { type HeadCache, type PlainFields, readLane } from './store.ts'

/** What the query language reads, out of the store. */
export const timeseriesSource = (db: Reader, now: () => Date): TimeseriesSource => ({
  async schema(name) {
    const known = catalogue.get(name)
    return known && (await isRecorded(db, name)) ? known : undefined
  },
  read: (request) => {
    const known = catalogue.get(request.name)
    if (!known) throw new Error(`${request.name} is not in the catalogue`)
    return request.name.startsWith('collection_target:')
      ? readProvisioned(db, known, request)
      : readLanes(db, known, request, now().getTime())
  },
})

const isRecorded = async (db: Reader, name: string): Promise<boolean> =>
  (await db.selectFrom('timeseries_name').select('name').where('name', '=', name).executeTakeFirst()) !==
  undefined

/** Timeseries per statement. */
const pageRows = 1000
/** Most of `last N` is found here. */
const recentMs = 3_600_000
/** An object whose samples ended so long before a range has none in it: windows end later than their samples. */
const slackMs = 30 * 60_000

const typed = ({ field_schema }: KnownSchema, plain: PlainFields): Fields =>
  Object.fromEntries(
    field_schema.map(({ name, field_type }) => [name, { type: field_type, value: plain[name] ?? '' }]),
  )

/** Bounds in milliseconds, of which samples have whole ones. */
const inMs = ({ from, to }: TimeRange) => ({ from: Math.ceil(from / 1000), to: Math.ceil(to / 1000) })

const stored = (fields: Fields, { times, starts, values }: Points): StoredTimeseries => ({
  fields,
  start_times: starts && starts.map((start) => start * 1000),
  timestamps: times.map((time) => time * 1000),
  values,
})

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
    request.signal?.throwIfAborted()
    const wanted = new Map(all.map((one) => [one.slot, one]))
    const sampledMs = new Map(all.map(({ slot }) => [slot, known.sampledMs]))
    const bounds = inMs({
      from: Math.min(...all.map(({ range }) => range.from)),
      to: Math.max(...all.map(({ range }) => range.to)),
    })
    const read = (from: number) => readLane(db, lane, { ...bounds, from, sampledMs, most: left, head })
    const recent = Math.min(bounds.to, now) - recentMs
    const isRecentEnough = request.limit?.kind === 'last' && recent > bounds.from
    let points = await read(isRecentEnough ? recent : bounds.from)
    if (
      isRecentEnough &&
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

function limit(points: Points, wanted: ReadRequest['limit']): Points {
  if (!wanted || points.times.length <= wanted.count) return points
  const range = wanted.kind === 'first' ? ([0, wanted.count] as const) : ([-wanted.count] as const)
  return {
    times: points.times.slice(...range),
    starts: points.starts?.slice(...range) ?? null,
    values: points.values.slice(...range),
  }
}

/** Lanes with wanted timeseries. Equal fields are found by the index, everything else among what it finds. */
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

async function* readProvisioned(
  db: Reader,
  known: KnownSchema,
  request: ReadRequest,
): AsyncGenerator<StoredTimeseries> {
  const metric = provisioningMetrics.find((one) => known.timeseries_name.endsWith(one))
  if (!metric) return
  const { from, to } = inMs(request)
  const ids = await db
    .selectFrom('provisioned')
    .select('id')
    .distinct()
    .where('metric', '=', metric)
    .orderBy('id')
    .execute()
  let left = request.maxPoints
  for (const { id } of ids) {
    const fields = typed(known, { id })
    if (!rangeFor(request, fields)) continue
    const rows = await db
      .selectFrom('provisioned')
      .select(['time', 'value'])
      .where('id', '=', id)
      .where('metric', '=', metric)
      .where('time', '>=', dateOf(from))
      .where('time', '<', dateOf(to))
      .orderBy('time', request.limit?.kind === 'last' ? 'desc' : 'asc')
      .limit(Math.min(request.limit?.count ?? Infinity, left + 1))
      .execute()
    if (rows.length === 0) continue
    if (request.limit?.kind === 'last') rows.reverse()
    left -= rows.length
    yield stored(fields, {
      times: rows.map(({ time }) => time.getTime()),
      starts: null,
      values: rows.map(({ value }) => value),
    })
    if (left < 0) return
  }
}

const dateOf = (ms: number): Date => new Date(Math.min(Math.max(ms, 0), Date.UTC(9999, 0)))
