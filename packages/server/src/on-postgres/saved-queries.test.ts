import { metricWatch } from '@gantry/control-plane/modules/metrics/saved/watch'
import { sample } from '@gantry/control-plane/modules/metrics/sampling/sampler'
import { DatabaseWriter } from '@gantry/control-plane/modules/metrics/store/database/writer'
import { testControlPlane } from '@gantry/control-plane/testing/control-plane'
import { testServices } from '@gantry/control-plane/testing/services'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../database/open.ts'
import { temporaryPostgres } from '../testing/temporary-postgres.ts'

const postgres = await temporaryPostgres()
const here = 'missing' in postgres ? undefined : postgres
if ('missing' in postgres) console.warn(`skipped: saved queries on PostgreSQL, ${postgres.missing}`)

const temperature = 'get hardware_component:temperature | filter timestamp > @now() - 5m | last 1'
const at = '/ext/v1/metric-queries'

describe.skipIf(!here)('saved queries on PostgreSQL', () => {
  afterAll(() => here?.stop())

  test('several processes together evaluate each threshold once', async () => {
    if (!here) return
    let now = Date.parse('2026-03-02T10:00:00Z')
    const { dialect } = await openDatabase({ url: await here.newDatabase() })
    const bed = await testControlPlane({ dialect, idle: true, environment: { clock: () => new Date(now) } })
    const services = () => testServices({ db: bed.db, clock: () => new Date(now) })
    const operator = await bed.signIn('admin')
    const names = Array.from({ length: 12 }, (_, index) => `hot-${index}`)
    for (const name of names) {
      const threshold = { comparison: 'above', value: -100, for_seconds: 0 }
      const made = await operator.post(at, { name, description: '', query: temperature, threshold })
      expect(made.status).toBe(201)
    }
    const writer = new DatabaseWriter(bed.db)
    now += 10_000
    await sample(services(), writer, { from: now - 10_000, until: now })
    await Promise.all([1, 2, 3].map(() => metricWatch.run(services())))
    for (const name of names) {
      expect((await operator.get(`${at}/${name}`)).body.watch).toMatchObject({
        state: 'firing',
        problem: null,
      })
      expect((await operator.get(`${at}/${name}/history`)).body.items).toHaveLength(1)
    }
    expect(await bed.db.selectFrom('alert').selectAll().execute()).toHaveLength(names.length)

    for (const name of names) expect((await operator.call('DELETE', `${at}/${name}`)).status).toBe(204)
    await Promise.all([1, 2, 3].map(() => metricWatch.run(services())))
    expect(await bed.db.selectFrom('metric_watch').selectAll().execute()).toEqual([])
    expect(await bed.db.selectFrom('alert').selectAll().execute()).toHaveLength(2 * names.length)
    await bed.stop()
  })
})
