import { provisioningMetrics } from '@gantry/api/metrics/metric.rules'
import type { Reader } from '@gantry/control-plane/db/database'
import type { ReadRequest, StoredTimeseries, TimeseriesSource } from '@gantry/control-plane/oxql/model'
import { rangeFor } from '@gantry/control-plane/oxql/select'
import { catalogue, type KnownSchema } from './catalogue.ts'
import { isRecorded } from '../sampling/recorded-names.ts'
import type { SampleStore } from '../store/sample-store.ts'
import { dateOf, rangeInMs, storedTimeseries, typedFields } from '../store/conversions.ts'

/** The query language's source: the store of samples and the record of provisioning. */
export const timeseriesSource = (db: Reader, store: SampleStore, now: () => Date): TimeseriesSource => ({
  async schema(name) {
    const known = catalogue.get(name)
    return known && (await isRecorded(db, name)) ? known : undefined
  },
  read: (request) => {
    const known = catalogue.get(request.name)
    if (!known) throw new Error(`${request.name} is not in the catalogue`)
    return request.name.startsWith('collection_target:')
      ? readProvisioned(db, known, request)
      : store.read(db, known, request, now().getTime())
  },
})

async function* readProvisioned(
  db: Reader,
  known: KnownSchema,
  request: ReadRequest,
): AsyncGenerator<StoredTimeseries> {
  const metric = provisioningMetrics.find((one) => known.timeseries_name.endsWith(one))
  if (!metric) return
  const { from, to } = rangeInMs(request)
  const ids = await db
    .selectFrom('provisioned')
    .select('id')
    .distinct()
    .where('metric', '=', metric)
    .orderBy('id')
    .execute()
  let left = request.maxPoints
  for (const { id } of ids) {
    const fields = typedFields(known, { id })
    if (!rangeFor(request, fields)) continue
    await request.check()
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
    yield storedTimeseries(fields, {
      times: rows.map(({ time }) => time.getTime()),
      starts: null,
      values: rows.map(({ value }) => value),
    })
    if (left < 0) return
  }
}
