import { expect, test } from 'vitest'
import { parseQuery } from '@gantry/control-plane/oxql/parse'
import { defaultSettings } from '@gantry/control-plane/settings'
import { testControlPlane } from '@gantry/control-plane/testing/control-plane'
import { testServices } from '@gantry/control-plane/testing/services'
import { tablesOf } from '../query/queries.ts'
import { sampling } from './sampler.ts'

test('the first round begins at the whole minute at which the past ends', async () => {
  const bed = await testControlPlane({ seed: 'demo', idle: true })
  const now = Math.floor(Date.now() / 60_000) * 60_000 + 37_500
  const settings = { ...defaultSettings, metrics: { ...defaultSettings.metrics, sampling: true } }
  const services = testServices({ db: bed.db, settings, clock: () => new Date(now) })
  await sampling().run(services)
  const [table] = await tablesOf(
    services,
    parseQuery('get virtual_disk:reads | filter timestamp > @now() - 1h'),
    { place: 'fleet' },
  )
  const times = table?.timeseries[0]?.points.timestamps ?? []
  expect(times.map((time) => Date.parse(time) - now)).toEqual([-27_500, -17_500, -7500])
  await bed.stop()
})
