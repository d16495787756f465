import { expect, test } from 'vitest'
import type { Db, Reader } from '@gantry/control-plane/db/database'
import type { EngineSeries, SampleEngine } from '@gantry/control-plane/environment'
import type { ReadRequest, StoredTimeseries } from '@gantry/control-plane/oxql/model'
import { catalogue } from '../query/catalogue.ts'
import { engineStore } from './engine-store.ts'
import type { SourceSamples } from '../sampling/samples.ts'

type Asked = Parameters<SampleEngine['read']>[0]

/** Keeps what is written, and selects by name and labels as an engine does. */
class MemoryEngine implements SampleEngine {
  readonly series: EngineSeries[] = []
  readonly asked: Asked[] = []

  async write(series: readonly EngineSeries[]): Promise<void> {
    this.series.push(...series)
  }

  async read(wanted: Asked): Promise<EngineSeries[]> {
    this.asked.push(wanted)
    return this.series.filter(
      ({ name, labels }) =>
        name === wanted.name &&
        Object.entries(wanted.labels).every(([label, text]) => labels[label] === text),
    )
  }
}

/** Reading needs no database, and neither does writing names that are not read. */
const none = {} as Reader
const names = {
  insertInto: () => ({ values: () => ({ onConflict: () => ({ execute: async () => [] }) }) }),
} as unknown as Db

const machine = { instance_id: 'i', project_id: 'p', silo_id: 's', sled_id: 'd', sled_revision: 3 }
const usage = (source: string, since: number, times: number[], values: (number | null)[]): SourceSamples => ({
  source,
  timeseries: [
    {
      name: 'virtual_machine:vcpu_usage',
      fields: { ...machine, state: 'run', vcpu_id: 0 },
      times,
      since,
      values,
    },
  ],
})
const vcpus = catalogue.get('virtual_machine:vcpu_usage')
const now = 100_000

async function read(engine: SampleEngine, request: Partial<ReadRequest>): Promise<StoredTimeseries[]> {
  if (!vcpus) throw new Error('no schema')
  const [from, to] = [0, now * 1000]
  const all = {
    name: vcpus.timeseries_name,
    any: [{ from, to, tests: [] }],
    from,
    to,
    maxPoints: 1000,
    check() {},
  }
  const found: StoredTimeseries[] = []
  for await (const one of engineStore(engine).read(none, vcpus, { ...all, ...request }, now)) found.push(one)
  return found
}

async function written(...batch: SourceSamples[]): Promise<MemoryEngine> {
  const engine = new MemoryEngine()
  await engineStore(engine).writer(names).write(batch, new Date(now))
  return engine
}

test('a restart begins another timeseries, which reading joins with its start', async () => {
  const engine = await written(
    usage('instance:b', 50_000, [60_000, 70_000], [1, 2]),
    usage('instance:a', 5000, [10_000, 20_000, 30_000], [5, null, 9]),
  )
  expect(engine.series).toHaveLength(2)
  const [joined, ...others] = await read(engine, {})
  expect(others).toEqual([])
  expect(joined).toEqual({
    fields: expect.objectContaining({
      vcpu_id: { type: 'u32', value: 0 },
      sled_revision: { type: 'u32', value: 3 },
      state: { type: 'string', value: 'run' },
    }),
    start_times: [5_000_000, 5_000_000, 50_000_000, 50_000_000],
    timestamps: [10_000_000, 30_000_000, 60_000_000, 70_000_000],
    values: [5, 9, 1, 2],
  })
})

test('only conditions common to all alternatives are sent to the engine; the fields decide the rest', async () => {
  const engine = await written(usage('instance:a', 0, [10_000], [5]))
  const is = (field: string, value: string) =>
    ({ field, operator: '==', value: { type: 'string', value } }) as const
  const range = { from: 0, to: now * 1000 }
  const found = await read(engine, {
    any: [
      { ...range, tests: [is('project_id', 'p'), is('state', 'run')] },
      { ...range, tests: [is('project_id', 'p'), is('state', 'idle')] },
    ],
  })
  expect(engine.asked[0]).toMatchObject({ labels: { project_id: 'p' }, from: 0, to: now })
  expect(found).toHaveLength(1)
  expect(await read(engine, { any: [{ ...range, tests: [is('state', 'idle')] }] })).toEqual([])
})

test('the newest samples are counted within their range', async () => {
  const engine = await written(usage('instance:a', 0, [10_000, 20_000, 30_000], [1, 2, 3]))
  const range = { from: 0, to: 30_000_000 }
  const [found] = await read(engine, {
    ...range,
    any: [{ ...range, tests: [] }],
    limit: { kind: 'last', count: 1 },
  })
  expect(found?.values).toEqual([2])
})

test('a query ends at its deadline, even if nothing that the engine returns is in its range', async () => {
  const engine = await written(usage('instance:a', 0, [10_000], [5]))
  const check = () => {
    throw new Error('too late')
  }
  await expect(read(engine, { any: [], check })).rejects.toThrow('too late')
})

test('an engine that does not answer is a refusal to try again', async () => {
  const engine: SampleEngine = {
    write: () => Promise.reject(new Error('gone')),
    read: () => Promise.reject(new Error('gone')),
  }
  await expect(read(engine, {})).rejects.toMatchObject({ status: 503 })
  // A round that was not written is not taken for one.
  await expect(
    engineStore(engine)
      .writer(names)
      .write([usage('instance:a', 0, [10_000], [1])], new Date(now)),
  ).rejects.toThrow('gone')
})
