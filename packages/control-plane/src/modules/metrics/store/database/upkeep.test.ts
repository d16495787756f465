import { Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Tables } from '@gantry/control-plane/db/tables'
import { defaultSettings } from '@gantry/control-plane/settings'
import { migratedDatabase } from '@gantry/control-plane/testing/migrated-database'
import { decodeBlock } from './codec.ts'
import { readObject } from './read-object.ts'
import { writeBlocks, writeRound } from './rows.ts'
import { maintainBlocks } from './upkeep.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The start of a window of every resolution but the coarsest. */
const start = Date.parse('2026-03-02T12:00:00Z')

let db: Kysely<Tables>
beforeEach(async () => {
  db = new Kysely<Tables>({ dialect: await migratedDatabase() })
})
afterEach(() => db.destroy())

const object = 1
const series = 0
/** A total with a sample each minute in `(from, until]`, in rounds of this length. */
async function sampleBetween(from: number, until: number, roundMs: number): Promise<void> {
  for (let end = from + roundMs; end <= until; end += roundMs) {
    const times = Array.from({ length: roundMs / minute }, (_, index) => end - roundMs + (index + 1) * minute)
    const points = { times, starts: times.map(() => start), values: times.map((time) => time - start) }
    await writeRound(db, new Date(end), new Map([[object, new Map([[series, points]])]]))
  }
}
/** A run has a maximum of windows, so it takes several to catch up. */
async function keep(now: number, runs: number): Promise<void> {
  const upkeep = { db, now: new Date(now), retention: defaultSettings.metrics, isEnding: () => false }
  for (let run = 0; run < runs; run++) await maintainBlocks(upkeep)
}
/** The times of the samples in a resolution's blocks. */
async function timesIn(resolution: number): Promise<number[]> {
  const rows = await db
    .selectFrom('metric_block')
    .select('data')
    .where('tier', '=', resolution)
    .orderBy('starts')
    .execute()
  return rows.flatMap(({ data }) => decodeBlock(data).get(series)?.times ?? [])
}
const minutesIn = (from: number, until: number): number[] =>
  Array.from({ length: (until - from) / minute }, (_, index) => from + (index + 1) * minute)

test('samples taken after a long stop reach the coarser resolution before the raw ones are deleted', async () => {
  await sampleBetween(start, start + hour, 10 * minute)
  await keep(start + 2 * hour, 1)
  const again = start + day
  await sampleBetween(again, again + hour, 10 * minute)
  await keep(again + 7 * hour, 15)
  await keep(again + 26 * hour, 1)
  expect(await timesIn(0)).toEqual([])
  expect(await timesIn(1)).toEqual([...minutesIn(start, start + hour), ...minutesIn(again, again + hour)])
})

test('samples taken after a stop of weeks move into blocks at once', async () => {
  await sampleBetween(start, start + hour, 10 * minute)
  await keep(start + 2 * hour, 1)
  const again = start + 30 * day
  await sampleBetween(again, again + hour, 10 * minute)
  await keep(again + 7 * hour, 2)
  expect((await timesIn(0)).filter((time) => time > again)).toEqual(minutesIn(again, again + hour))
  expect((await timesIn(1)).filter((time) => time > again)).toEqual(minutesIn(again, again + hour))
})

test('old samples that move into blocks do not make their object look old', async () => {
  const last = new Date(start + 10 * day)
  await db.insertInto('metric_lane').values({ id: object, source: 'one', last_at: last }).execute()
  await sampleBetween(start, start + hour, 10 * minute)
  await keep(start + 10 * day, 1)
  expect(await timesIn(0)).not.toEqual([])
  const kept = await db.selectFrom('metric_lane').select('last_at').executeTakeFirstOrThrow()
  expect(kept.last_at).toEqual(last)
})

test('a steady total grows steadily where samples of one resolution are followed by finer ones', async () => {
  const step = 10_000
  // The start of a window of the coarsest resolution.
  const from = Date.parse('2026-02-26T00:00:00Z')
  const until = from + 13 * hour
  for (let end = from + 10 * minute; end <= until; end += 10 * minute) {
    const times = Array.from({ length: (10 * minute) / step }, (_, index) => end - index * step).reverse()
    const points = { times, starts: times.map(() => from), values: times.map((time) => time - from) }
    await writeRound(db, new Date(end), new Map([[object, new Map([[series, points]])]]))
  }
  // Keeps raw samples since about 9:15, and those of minutes since 6:00.
  const retention = { ...defaultSettings.metrics, raw_hours: 7 * 24, minute_days: 7 }
  const now = new Date(from + 7 * day + 9.5 * hour)
  for (let run = 0; run < 10; run++) await maintainBlocks({ db, now, retention, isEnding: () => false })
  expect((await timesIn(0))[0]).toBeGreaterThan(from + 9 * hour)
  expect((await timesIn(1))[0]).toBe(from + 6 * hour)

  const range = { from: from + hour, to: until + 1, maxSamples: Infinity, keeps: 'first' } as const
  const read = await readObject(db, object, { ...range, sampledMs: new Map([[series, step]]) })
  const { times = [], values = [] } = read.get(series) ?? {}
  expect(times).toHaveLength((12 * hour) / step + 1)
  expect(values).toEqual(times.map((time) => time - from))
  expect(new Set(times.slice(1).map((time, index) => time - (times[index] ?? 0)))).toEqual(new Set([step]))
})

test('an object of many timeseries is read no further than a query may hold, with turns of others in between', async () => {
  const hours = Array.from({ length: 7 * 24 }, (_, index) => start + (index + 1) * hour)
  const points = { times: hours, starts: hours.map(() => start), values: hours.map((time) => time - start) }
  const all = Array.from({ length: 20 }, (_, index) => index)
  await writeBlocks(db, 2, new Date(start), new Map([[object, new Map(all.map((each) => [each, points]))]]))
  const handled: number[] = []
  const read = await readObject(db, object, {
    from: start,
    to: start + 8 * day,
    keeps: 'first',
    maxSamples: 10_000,
    maxHeld: 30_000,
    // Each of the hours stands for 720 samples.
    sampledMs: new Map(all.map((each) => [each, 5000])),
    pause: (samples) => void handled.push(samples),
  })
  const held = [...read.values()].reduce((sum, { times }) => sum + times.length, 0)
  expect(held).toBeGreaterThan(30_000)
  expect(held).toBeLessThan(50_000)
  expect(Math.max(...handled)).toBeLessThan(12_000)
})

describe.each([
  ['rounds of ten minutes', 10 * minute],
  ['rounds that make up for two missed ones', 30 * minute],
])('samples in %s', (_, roundMs) => {
  const end = start + 6 * hour
  beforeEach(() => sampleBetween(start, end + hour, roundMs))

  test('are downsampled with the window that their round ends at', async () => {
    await keep(end + 2 * hour, 5)
    expect(await timesIn(1)).toEqual(minutesIn(start, end - minute))
  })

  test('are read up to any time, before and after they move into blocks', async () => {
    const read = async () => {
      const range = { from: end - hour, to: end - 3 * minute, maxSamples: 1000, keeps: 'first' } as const
      return (await readObject(db, object, { ...range, sampledMs: new Map([[series, minute]]) })).get(series)
        ?.times
    }
    const expected = minutesIn(end - hour - minute, end - 4 * minute)
    expect(await read()).toEqual(expected)
    await keep(end + 2 * hour, 5)
    expect(await read()).toEqual(expected)
  })
})
