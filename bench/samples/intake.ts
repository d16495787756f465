import { performance } from 'node:perf_hooks'
import {
  decodeBlock,
  encodeBlock,
  type PointsBySeries,
} from '../../packages/control-plane/src/modules/metrics/store/database/codec.ts'
import { vmUsage } from '../../packages/control-plane/src/fleet/simulated/load.ts'
import { migrate } from '../../packages/control-plane/src/db/migrate.ts'
import type { Tables } from '../../packages/control-plane/src/db/tables.ts'
import type { SourceSamples } from '../../packages/control-plane/src/modules/metrics/sampling/samples.ts'
import { writeRound } from '../../packages/control-plane/src/modules/metrics/store/database/rows.ts'
import { DatabaseWriter } from '../../packages/control-plane/src/modules/metrics/store/database/writer.ts'
import { maintainBlocks } from '../../packages/control-plane/src/modules/metrics/store/database/upkeep.ts'
import { defaultSettings } from '../../packages/control-plane/src/settings.ts'
import { type Dialect, Kysely, sql } from 'kysely'
import { table } from '../measure.ts'
import { type BenchDatabase, instances } from '../databases.ts'

const rounds = Number(process.env['GANTRY_BENCH_ROUNDS'] ?? 90)
const roundMs = 10_000
const start = Date.parse('2026-03-02T10:00:00Z')

/** One vCPU, a disk and an interface each. */
function samplesOf(index: number, until: number): SourceSamples {
  const id = `vm-${index}`
  const since = start - 86_400_000
  const usage = vmUsage({ id, ncpus: 1, disks: ['disk'], interfaces: ['nic'] }, since, [until])
  const columns = [...usage.vcpus, ...usage.disks, ...usage.interfaces].flatMap((one) =>
    Object.entries(one).filter((entry): entry is [string, number[]] => typeof entry[1] === 'object'),
  )
  const timeseries = columns.map(([metric, values]) => ({
    name: `measured:${metric}`,
    fields: { id },
    times: [until],
    since,
    values,
  }))
  return { source: id, timeseries }
}

/** Bytes of a sample in the database, and how many are taken in a second. */
export async function intake(databases: readonly BenchDatabase[]): Promise<void> {
  const results: Record<string, string>[] = []
  for (const { name, open } of databases) {
    const { dialect } = await open()
    results.push(await measured(name, dialect))
  }
  table(results)
  const block = dayOfSamples()
  const begin = performance.now()
  const bytes = encodeBlock(block)
  const encoded = performance.now()
  decodeBlock(bytes)
  const points = [...block.values()].reduce((sum, { times }) => sum + times.length, 0)
  console.log(
    `${points.toLocaleString()} samples of one instance: ${(bytes.length / points).toFixed(2)} bytes each, ` +
      `encoded in ${(encoded - begin).toFixed(0)} ms, decoded in ${(performance.now() - encoded).toFixed(0)} ms`,
  )
}

async function measured(name: string, dialect: Dialect): Promise<Record<string, string>> {
  const db = new Kysely<Tables>({ dialect })
  await migrate(db)
  const writer = new DatabaseWriter(db)
  let samples = 0
  let spent = 0
  let until = start
  for (let round = 0; round < rounds; round++) {
    until += roundMs
    for (let first = 0; first < instances; first += 200) {
      const batch = Array.from({ length: Math.min(200, instances - first) }, (_, index) =>
        samplesOf(first + index, until),
      )
      const begin = performance.now()
      await writeRound(db, new Date(until), await writer.number(batch, new Date(until)))
      spent += performance.now() - begin
      samples += batch.reduce((sum, { timeseries }) => sum + timeseries.length, 0)
    }
  }
  const begin = performance.now()
  const now = new Date(until + 20 * 60_000)
  await maintainBlocks({ db, now, retention: defaultSettings.metrics, isEnding: () => false })
  const kept = performance.now() - begin
  const { rows } = await sql<{ blocks: number }>`
    SELECT sum(pg_column_size(data) + 40)::int8 AS blocks FROM metric_block WHERE tier = 0`.execute(db)
  await db.destroy()
  return {
    database: name,
    instances: instances.toLocaleString(),
    samples: samples.toLocaleString(),
    'samples a second': Math.round((samples / spent) * 1000).toLocaleString(),
    'upkeep of them': `${(kept / 1000).toFixed(1)} s`,
    'bytes a sample': ((rows[0]?.blocks ?? 0) / samples).toFixed(2),
  }
}

function dayOfSamples(): PointsBySeries {
  const block: PointsBySeries = new Map()
  const times = Array.from({ length: 8640 }, (_, index) => start + index * roundMs)
  const usage = vmUsage({ id: 'vm', ncpus: 4, disks: ['disk'], interfaces: ['nic'] }, start, times)
  const columns = [...usage.vcpus, ...usage.disks, ...usage.interfaces].flatMap((one) =>
    Object.values(one).filter((values): values is number[] => typeof values === 'object'),
  )
  const starts = times.map(() => start)
  for (const [series, values] of columns.entries()) block.set(series, { times, starts, values })
  return block
}
