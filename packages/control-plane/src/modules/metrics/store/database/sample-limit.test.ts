import { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tables } from '@gantry/control-plane/db/tables'
import { parseQuery } from '@gantry/control-plane/oxql/parse'
import { defaultSettings } from '@gantry/control-plane/settings'
import { migratedDatabase } from '@gantry/control-plane/testing/migrated-database'
import { testServices } from '@gantry/control-plane/testing/services'
import { resolutions } from '../points.ts'
import { tablesOf } from '../../query/queries.ts'
import { writeBlocks } from './rows.ts'
import { DatabaseWriter } from './writer.ts'

const [, { everyMs: minute, windowMs }, { resolution: hours, everyMs: hour, windowMs: week }] = resolutions
/** The start of a window of every resolution. */
const start = Date.parse('2026-02-26T00:00:00Z')
const end = start + windowMs
const history = start + week
const now = history + 20 * week

let db: Kysely<Tables>
beforeAll(async () => {
  db = new Kysely<Tables>({ dialect: await migratedDatabase() })
  const writer = new DatabaseWriter(db)
  const totals = (disk_id: string, times: number[]) => ({
    source: `disk:${disk_id}`,
    timeseries: [
      {
        name: 'virtual_disk:reads',
        fields: { disk_id },
        times,
        since: start,
        values: times.map((time) => time - start),
      },
    ],
  })
  const every = (stepMs: number, from: number, length: number) =>
    Array.from({ length }, (_, index) => from + index * stepMs)
  // A window of minutes, which a query spreads over samples of ten seconds.
  const ofMinutes = every(minute, start, windowMs / minute)
  await writer.writePast([totals(one, ofMinutes), totals(other, ofMinutes)], new Date(end))
  const ofHours = [totals(old, every(hour, history, week / hour))]
  await writeBlocks(db, hours, new Date(history), await writer.number(ofHours, new Date(history + week)))
})
afterAll(() => db.destroy())

const one = '11111111-0000-4000-8000-000000000000'
const other = '22222222-0000-4000-8000-000000000000'
const old = '33333333-0000-4000-8000-000000000000'

const at = (ms: number) => `@${new Date(ms).toISOString().slice(0, -1)}`
/** The times of each timeseries, in a server whose queries read at most a thousand samples. */
async function times(condition: string): Promise<string[][]> {
  const settings = { ...defaultSettings, metrics: { ...defaultSettings.metrics, query_points: 1000 } }
  const services = testServices({ db, settings, clock: () => new Date(now) })
  const tables = await tablesOf(services, parseQuery(`get virtual_disk:reads | filter ${condition}`), {
    place: 'fleet',
  })
  return tables.flatMap(({ timeseries }) => timeseries.map(({ points }) => points.timestamps))
}
/** Samples of the last minutes of the window, whose block begins hours before. */
const since = (minutes: number) => `timestamp >= ${at(end - minutes * minute)} && timestamp < ${at(end)}`
const tooMany = 'Query requires fetching more than the current limit of 1000 data points'

test('a query below the limit has all samples of all timeseries', async () => {
  // The last sample is that of the last minute's start.
  expect((await times(since(80))).map(({ length }) => length)).toEqual([79 * 6 + 1, 79 * 6 + 1])
})

test.each([
  ['of one timeseries', `disk_id == "${one}" && ${since(200)}`],
  ['of several together', since(100)],
])('a query beyond the limit is refused, with the samples %s', async (_, condition) => {
  await expect(times(condition)).rejects.toThrow(tooMany)
})

test.each([
  ['first', 3, [0, 10, 20]],
  ['last', 1, [167 * 3600]],
  ['last', 3, [167 * 3600 - 20, 167 * 3600 - 10, 167 * 3600]],
])('%s %i of a long history of hours', async (kind, count, seconds) => {
  const [found] = await times(`disk_id == "${old}" | ${kind} ${count}`)
  expect(found?.map((time) => (Date.parse(time) - history) / 1000)).toEqual(seconds)
})

test('more last samples than the limit are refused', async () => {
  await expect(times(`disk_id == "${old}" | last 2000`)).rejects.toThrow(tooMany)
})
