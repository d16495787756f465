import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SampleEngine } from '../packages/control-plane/src/environment.ts'
import { simulatedFleet } from '../packages/control-plane/src/fleet/simulated/fleet.ts'
import { tablesOf } from '../packages/control-plane/src/modules/metrics/query/queries.ts'
import { configuredStore } from '../packages/control-plane/src/modules/metrics/store/configured-store.ts'
import { sample } from '../packages/control-plane/src/modules/metrics/sampling/sampler.ts'
import { parseQuery } from '../packages/control-plane/src/oxql/parse.ts'
import { defaultSettings } from '../packages/control-plane/src/settings.ts'
import {
  type Caller,
  testControlPlane,
  type TestBed,
} from '../packages/control-plane/src/testing/control-plane.ts'
import { prometheusEngine } from '../packages/server/src/time-series/prometheus-engine.ts'
import { isInstalled, startPrometheus } from './prometheus/program.ts'

const roundMs = 10_000
const rounds = 12

const quiet = { info() {}, warn() {}, error() {} }
const urls = ({ url }: { url: string }) => ({
  write_url: `${url}/api/v1/write`,
  read_url: `${url}/api/v1/read`,
  timeout_seconds: 30,
})

test.skipIf(!isInstalled())('a real Prometheus returns what was written, within a range', async () => {
  const prometheus = await startPrometheus('', '--web.enable-remote-write-receiver')
  try {
    const engine = prometheusEngine(urls(prometheus), quiet)
    const now = Math.floor(Date.now() / 1000) * 1000
    const series = {
      name: 'virtual_disk:reads',
      labels: { disk_id: 'd', block_size: '512', zone: 'Zürich', counted_since: '5' },
      times: [now - 2000, now - 1000, now],
      values: [0, 2 ** 53 - 1, 0.125],
    }
    const other = { ...series, labels: { ...series.labels, disk_id: 'e' } }
    await engine.write([series, other])
    const { name } = series
    const asked = { name, labels: { disk_id: 'd' }, from: 0, to: now + 1 }
    expect(await engine.read(asked)).toEqual([series])
    expect(await engine.read({ ...asked, labels: {} })).toHaveLength(2)
    expect((await engine.read({ ...asked, from: now - 1000, to: now })).map(({ values }) => values)).toEqual([
      [2 ** 53 - 1],
    ])
    expect(await engine.read({ ...asked, labels: { disk_id: 'x' } })).toEqual([])
    expect(await engine.read({ ...asked, from: now, to: now })).toEqual([])
    await expect(engine.write([{ ...series, times: [now - 90 * 86_400_000], values: [1] }])).rejects.toThrow(
      /^400/,
    )
  } finally {
    await prometheus.stop()
  }
})

/** Sums depend on the order of their timeseries in the last digits. */
const rounded = (tables: unknown): unknown =>
  JSON.parse(
    JSON.stringify(tables, (_key, value) =>
      typeof value === 'number' ? Number(value.toPrecision(12)) : value,
    ),
  )

/** The same samples in Prometheus and in the database: each query answers alike. */
describe.skipIf(!isInstalled())('samples kept by a real Prometheus', () => {
  let bed: TestBed
  let admin: Caller
  let lena: Caller
  let engine: SampleEngine
  let prometheus: Awaited<ReturnType<typeof startPrometheus>>
  let now = 0
  const clock = () => new Date(now)
  const logged: unknown[] = []
  const log = { info() {}, warn: (...record: unknown[]) => void logged.push(record), error() {} }

  beforeAll(async () => {
    prometheus = await startPrometheus('', '--web.enable-remote-write-receiver')
    engine = prometheusEngine(urls(prometheus), log)
    // Prometheus takes samples of about now only.
    now = Math.floor(Date.now() / roundMs) * roundMs - rounds * roundMs
    bed = await testControlPlane({ seed: 'demo', idle: true, environment: { clock, samples: engine } })
    admin = await bed.signIn('admin')
    lena = await bed.signIn('lena', 'lagoon')
    const services = {
      db: bed.db,
      fleet: simulatedFleet({ ...bed, clock: () => new Date() }),
      ending: new AbortController().signal,
    }
    const writers = [engine, undefined].map((samples) => configuredStore({ samples }).writer(bed.db))
    for (let round = 0; round < rounds; round++) {
      now += roundMs
      for (const writer of writers) await sample(services, writer, { from: now - roundMs, until: now })
    }
  }, 300_000)
  afterAll(async () => {
    await bed.stop()
    await prometheus.stop()
  })

  const both = (text: string) =>
    Promise.all(
      [engine, undefined].map((samples) =>
        tablesOf({ db: bed.db, clock, settings: defaultSettings, samples }, parseQuery(text), {
          place: 'fleet',
        }),
      ),
    )

  test.each([
    'get virtual_machine:vcpu_usage | filter state == "run" | align mean_within(20s) | group_by [instance_id], sum',
    'get virtual_machine:vcpu_usage | filter vcpu_id == 0 && state != "idle" | align mean_within(1m) | group_by [state], sum',
    'get virtual_machine:vcpu_usage | filter state == "waiting" && timestamp > @now() - 1m',
    'get virtual_disk:bytes_written | filter timestamp > @now() - 10m | align mean_within(30s) | group_by [attached_instance_id], sum',
    'get instance_network_interface:packets_sent | last 2',
    'get hardware_component:temperature | filter sensor == "CPU" || sensor == "Inlet"',
    'get hardware_component:power | filter slot > 3 | first 3',
    'get sled_data_link:bytes_sent | filter link_name ~= "net[01]" && timestamp > @now() - 1m',
    'get collection_target:cpus_provisioned | last 1',
  ])('%s', async (text) => {
    const [kept, own] = await both(text)
    expect(kept?.flatMap(({ timeseries }) => timeseries).length).toBeGreaterThan(0)
    expect(rounded(kept)).toEqual(rounded(own))
  })

  test('are read by the queries of their project alone, and in the scrape', async () => {
    const { items } = (await lena.get('/v1/projects')).body
    const query = 'get virtual_machine:vcpu_usage | align mean_within(1m) | group_by [project_id], sum'
    const ask = async (project: string) =>
      (await lena.post(`/v1/timeseries/query?project=${project}`, { query })).body.tables[0].timeseries
    const running = (await Promise.all(items.map(({ name }: { name: string }) => ask(name)))).flat() as {
      fields: { project_id: { value: string } }
    }[]
    expect(running.length).toBeGreaterThan(0)
    const known = items.map(({ id }: { id: string }) => id)
    for (const { fields } of running) expect(known).toContain(fields.project_id.value)
    const schemas = (await admin.get('/v1/system/timeseries/schemas?limit=100')).body.items
    expect(schemas.length).toBeGreaterThan(10)
    const scraped = await scrape(admin)
    expect(scraped).toMatch(/gantry_virtual_machine_vcpu_usage_seconds_total\{/)
    expect(scraped).toMatch(/gantry_hardware_component_temperature_celsius\{/)
    expect(scraped).not.toContain('counted_since')
  })

  test('are refused with a retry while it does not answer, and the log says why', async () => {
    await prometheus.stop()
    const answer = await admin.post('/v1/system/timeseries/query', {
      query: 'get hardware_component:power | last 1',
    })
    expect([answer.status, answer.body.error_code]).toEqual([503, 'ServiceNotAvailable'])
    expect(JSON.stringify(logged.at(-1))).toContain('failed to read')
    const writer = configuredStore({ samples: engine }).writer(bed.db)
    const services = {
      db: bed.db,
      fleet: simulatedFleet({ ...bed, clock: () => new Date() }),
      ending: new AbortController().signal,
    }
    await expect(sample(services, writer, { from: now, until: now + roundMs })).rejects.toThrow(
      'fetch failed',
    )
  })
})

const scrape = async (by: Caller): Promise<string> => {
  const { status, body } = await by.call('GET', '/ext/v1/metrics/prometheus')
  expect(status).toBe(200)
  return body
}
