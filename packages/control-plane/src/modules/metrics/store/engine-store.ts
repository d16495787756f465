import type { EngineSeries, SampleEngine } from '@gantry/control-plane/environment'
import { unavailable } from '@gantry/control-plane/context/refusal'
import type { ReadRequest, StoredTimeseries } from '@gantry/control-plane/oxql/model'
import { rangeFor } from '@gantry/control-plane/oxql/select'
import { catalogue, type KnownSchema } from '../query/catalogue.ts'
import { appendLater, between, emptyPoints, type Points } from './points.ts'
import { RecordedNames } from '../sampling/recorded-names.ts'
import type { NewestSample, SampleStore, Scope, WantedNewest } from './sample-store.ts'
import type { PlainFields, SampledSeries } from '../sampling/samples.ts'
import { rangeInMs, limitPoints, storedTimeseries, typedFields } from './conversions.ts'

/**
 * The start of a total in milliseconds, as a label, because these engines store no start with a sample. A restart
 * therefore begins another timeseries, which reading joins to the previous one.
 */
const sinceLabel = 'counted_since'

/** Stores samples in an existing time-series engine, which downsamples and deletes them by its own rules. */
export const engineStore = (engine: SampleEngine): SampleStore => ({
  writer: (db) => {
    const names = new RecordedNames(db)
    return {
      async write(batch, at) {
        const series = batch.flatMap(({ timeseries }) => timeseries.map(engineSeries))
        await engine.write(series.filter(({ times }) => times.length > 0))
        await names.add(
          series.map(({ name }) => name),
          at,
        )
      },
      // Engines refuse samples older than their newest.
      async writePast() {},
      keep() {},
    }
  },
  read: (_db, known, request, now) => readEngine(engine, known, request, now),
  newest: (_db, wanted) => newestOf(engine, wanted),
  async upkeep() {},
})

/** A missing sample is not written. */
function engineSeries({ name, fields, times, since, values }: SampledSeries): EngineSeries {
  const labels = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, String(value)]))
  if (since !== undefined) labels[sinceLabel] = String(since)
  const present = times.flatMap((time, index) => {
    const value = values[index]
    return typeof value === 'number' ? [{ time, value }] : []
  })
  return { name, labels, times: present.map(({ time }) => time), values: present.map(({ value }) => value) }
}

async function* readEngine(
  engine: SampleEngine,
  known: KnownSchema,
  request: ReadRequest,
  now: number,
): AsyncGenerator<StoredTimeseries> {
  const bounds = rangeInMs(request)
  const found = await fromEngine(
    () =>
      engine.read({
        name: known.timeseries_name,
        labels: labelsOf(request),
        from: Math.max(0, bounds.from),
        to: Math.min(bounds.to, now + 1),
        ...(request.signal && { signal: request.signal }),
      }),
    request.signal,
  )
  let left = request.maxPoints
  for (const { plain, points } of joined(known, found)) {
    await request.check()
    const fields = typedFields(known, plain)
    const range = rangeFor(request, fields)
    if (!range) continue
    const wanted = rangeInMs(range)
    const limited = limitPoints(between(points, wanted.from, wanted.to), request.limit)
    if (limited.times.length === 0) continue
    left -= limited.times.length
    yield storedTimeseries(fields, limited)
    if (left < 0) return
  }
}

/** The equalities required by every alternative; the returned fields decide the rest. */
function labelsOf({ any }: ReadRequest): Record<string, string> {
  const [first, ...others] = any.map(({ tests }) =>
    Object.fromEntries(
      tests
        .filter(({ operator }) => operator === '==')
        .map(({ field, value }) => [field, String(value.value)]),
    ),
  )
  return Object.fromEntries(
    Object.entries(first ?? {}).filter(([field, value]) => others.every((one) => one[field] === value)),
  )
}

interface Joined {
  plain: PlainFields
  points: Points
}

/** Joins timeseries with the same fields, in the order of their starts. */
function joined({ field_schema, datum_type }: KnownSchema, found: readonly EngineSeries[]): Joined[] {
  const isTotal = datum_type.startsWith('cumulative')
  const all = new Map<string, { plain: PlainFields; parts: { since: number; series: EngineSeries }[] }>()
  for (const series of found) {
    const plain = Object.fromEntries(
      field_schema.map(({ name, field_type }) => [name, valueOf(field_type, series.labels[name] ?? '')]),
    )
    const key = JSON.stringify(plain)
    const known = all.get(key) ?? { plain, parts: [] }
    all.set(key, known)
    known.parts.push({ since: Number(series.labels[sinceLabel] ?? 0), series })
  }
  return [...all.values()].map(({ plain, parts }) => {
    const points = emptyPoints(isTotal)
    for (const { since, series } of parts.sort((one, other) => one.since - other.since))
      appendLater(points, {
        times: [...series.times],
        starts: isTotal ? series.times.map(() => since) : null,
        values: [...series.values],
      })
    return { plain, points }
  })
}

function valueOf(type: KnownSchema['field_schema'][number]['field_type'], text: string) {
  if (type === 'bool') return text === 'true'
  return /^[iu]\d/.test(type) && text !== '' ? Number(text) : text
}

/** Reads the sampled names one by one, so that a scrape holds only one response at a time. */
async function* newestOf(
  engine: SampleEngine,
  { since, now, of, signal }: WantedNewest,
): AsyncGenerator<NewestSample> {
  const range = { from: since.getTime() + 1, to: now.getTime() + 1, ...(signal && { signal }) }
  for (const known of catalogue.values()) {
    const { timeseries_name: name, authz_scope } = known
    if (name.startsWith('collection_target:') || (of !== 'all' && authz_scope !== 'project')) continue
    for (const labels of labelsOfScope(of)) {
      const found = await fromEngine(() => engine.read({ name, labels, ...range }), signal)
      for (const { plain, points } of joined(known, found)) {
        const value = points.values.at(-1)
        if (typeof value === 'number') yield { name, fields: plain, value }
      }
    }
  }
}

/** The labels of each request: an engine finds equal ones only. */
function labelsOfScope(of: Scope): Record<string, string>[] {
  if (of === 'all') return [{}]
  return 'silo' in of ? [{ silo_id: of.silo }] : of.projects.map((project_id) => ({ project_id }))
}

/** The reason is in the log; the caller can do nothing about it. */
async function fromEngine<Result>(ask: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  try {
    return await ask()
  } catch {
    signal?.throwIfAborted()
    throw unavailable('The time-series engine did not answer. Try again in a moment.')
  }
}
