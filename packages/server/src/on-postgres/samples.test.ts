import { simulatedFleet } from '@gantry/control-plane/fleet/simulated/fleet'
import { sample, samplePast } from '@gantry/control-plane/modules/metrics/sampling/sampler'
import { DatabaseWriter } from '@gantry/control-plane/modules/metrics/store/database/writer'
import { maintainBlocks } from '@gantry/control-plane/modules/metrics/store/database/upkeep'
import { defaultSettings } from '@gantry/control-plane/settings'
import { testControlPlane } from '@gantry/control-plane/testing/control-plane'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../database/open.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'

const postgres = await temporaryPostgres()
const here = 'missing' in postgres ? undefined : postgres
if ('missing' in postgres) console.warn(`skipped: samples on PostgreSQL, ${postgres.missing}`)

const minute = 60_000

describe.skipIf(!here)('samples on PostgreSQL', () => {
  afterAll(() => here?.stop())

  test("the demo's machines are sampled, kept in blocks, downsampled and queried", async () => {
    if (!here) return
    let now = Date.parse('2026-03-02T10:00:00Z')
    const { dialect } = await openDatabase({ url: await here.newDatabase() })
    const environment = { clock: () => new Date(now) }
    const bed = await testControlPlane({ dialect, seed: 'demo', idle: true, environment })
    const services = {
      db: bed.db,
      fleet: simulatedFleet({ ...bed, clock: () => new Date() }),
      ending: new AbortController().signal,
    }
    const writer = new DatabaseWriter(bed.db)
    const begin = now
    for (let round = 0; round < 20; round++) {
      now += minute
      await sample(services, writer, { from: now - minute, until: now })
    }
    await samplePast(services, writer, begin)
    const admin = await bed.signIn('admin')
    const ask = async (from: number, to: number, rest: string) => {
      const [start, end] = [from, to].map((time) => `@${new Date(time).toISOString().slice(0, -1)}`)
      const query = `get virtual_machine:vcpu_usage | filter timestamp > ${start} && timestamp <= ${end} ${rest}`
      const { status, body } = await admin.post('/v1/system/timeseries/query', { query })
      expect([status, body.message]).toEqual([200, undefined])
      return body.tables[0].timeseries
    }
    const grouped = '| align mean_within(1m) | group_by [], sum'
    const before = await ask(begin + 2 * minute, begin + 10 * minute, grouped)
    const retention = defaultSettings.metrics
    await maintainBlocks({ db: bed.db, now: new Date(now), retention, isEnding: () => false })
    expect(await ask(begin + 2 * minute, begin + 10 * minute, grouped)).toEqual(before)
    // The states of all vCPUs together are the time that passed, also in the hour before the first start.
    const { vcpus } = await bed.db
      .selectFrom('vmm')
      .select((eb) => eb.fn.sum<number>('ncpus').as('vcpus'))
      // Those of the lost sled ended when its instances started elsewhere.
      .where('time_gone', 'is', null)
      .executeTakeFirstOrThrow()
    const earlier = await ask(begin - 20 * minute, begin - 10 * minute, grouped)
    const perSample = earlier[0].points.values[0].values.values.at(-1) / 5e9
    expect(perSample).toBeCloseTo(vcpus, 0)
    const scrape = await admin.get('/ext/v1/metrics/prometheus')
    expect([scrape.status, typeof scrape.body]).toEqual([200, 'string'])
    await bed.stop()
  })
})
