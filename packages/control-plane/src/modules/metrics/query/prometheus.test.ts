import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { countedStatements } from '@gantry/control-plane/testing/counted-statements'
import { migratedDatabase } from '@gantry/control-plane/testing/migrated-database'
import { startedMachine } from '@gantry/control-plane/testing/sampled-machine'
import { testServices } from '@gantry/control-plane/testing/services'
import { defaultSettings } from '@gantry/control-plane/settings'
import { sample } from '../sampling/sampler.ts'
import { DatabaseWriter } from '../store/database/writer.ts'

const start = Date.parse('2026-03-02T10:00:00Z')
const roundMs = 10_000

let bed: TestBed
let counted: ReturnType<typeof countedStatements>
let now = start
let writer: DatabaseWriter
let mine: string
const people: Record<string, Caller> = {}
const clock = () => new Date(now)
const settings = {
  ...defaultSettings,
  metrics: { ...defaultSettings.metrics, prometheus_tags: ['cost-centre', 'env'] },
}

async function round(): Promise<void> {
  now += roundMs
  await sample(testServices({ db: bed.db, clock }), writer, { from: now - roundMs, until: now })
}

beforeAll(async () => {
  counted = countedStatements(await migratedDatabase())
  bed = await testControlPlane({ idle: true, dialect: counted.dialect, environment: { clock, settings } })
  const member = await bed.signIn('member')
  for (const project of ['mine', 'theirs'])
    await member.post('/v1/projects', { name: project, description: '' })
  const project = (await member.get('/v1/projects/mine')).body.id
  mine = await startedMachine(bed, member, { project: 'mine', name: 'web', ncpus: 1, since: now })
  const roles = [{ at: { project }, role: 'viewer' as const }]
  people['nobody'] = await bed.addUser('nobody')
  people['one project'] = await bed.addUser('one-project', { roles })
  people['whole silo'] = member
  people['fleet'] = await bed.signIn('admin')
  writer = new DatabaseWriter(bed.db)
  await round()
})
afterAll(() => bed.stop())

async function scraped(name: string) {
  let text = ''
  const sent = await counted.during(async () => {
    text = (await people[name]?.get('/ext/v1/metrics/prometheus'))?.body ?? ''
  })
  const instances = new Set([...text.matchAll(/[{,]instance_id="([^"]*)"/g)].map(([, id]) => id))
  return {
    instances,
    rows: counted.rows(),
    samples: sent.filter((one) => /metric_head|"timeseries"/.test(one)).length,
  }
}

test('a scrape reads what its caller may see, however much others have', async () => {
  const before = {
    nobody: await scraped('nobody'),
    one: await scraped('one project'),
    silo: await scraped('whole silo'),
    fleet: await scraped('fleet'),
  }
  expect(before.nobody.samples).toBe(0)
  expect(before.nobody.instances).toEqual(new Set())
  expect(before.one.instances).toEqual(new Set([mine]))

  const member = people['whole silo'] ?? bed.anonymous
  for (let index = 0; index < 70; index++)
    await startedMachine(bed, member, { project: 'theirs', name: `web-${index}`, ncpus: 1, since: now })
  await round()
  const after = {
    nobody: await scraped('nobody'),
    one: await scraped('one project'),
    silo: await scraped('whole silo'),
    fleet: await scraped('fleet'),
  }
  expect(after.nobody).toEqual(before.nobody)
  expect(after.one).toEqual(before.one)
  expect(after.silo.instances.size).toBe(71)
  expect(after.fleet.instances.size).toBe(71)
  expect(after.silo.rows).toBeGreaterThan(before.silo.rows + 70)
  // Sleds are the fleet's.
  expect(after.fleet.rows).toBeGreaterThan(after.silo.rows)
})

test('a scrape ends when its caller is gone', async () => {
  const gone = new AbortController()
  const request = new Request('http://localhost/ext/v1/metrics/prometheus', {
    headers: { cookie: people['fleet']?.cookie ?? '' },
    signal: gone.signal,
  })
  let status = 0
  const sent = await counted.during(async () => {
    gone.abort()
    ;({ status } = await bed.plane.fetch(request, { address: '127.0.0.1' }))
  })
  expect(status).toBe(499)
  expect(sent.filter((one) => one.includes('metric_head'))).toEqual([])
})

test('the allowed tags of an instance are its labels', async () => {
  const member = people['whole silo'] ?? bed.anonymous
  const tags = [
    { key: 'cost-centre', value: 'a "b"' },
    { key: 'secret', value: 'x' },
  ]
  await member.call('PUT', `/ext/v1/tags/${mine}?kind=instance`, { tags })
  const text = (await member.get('/ext/v1/metrics/prometheus?project=mine')).body as string
  const info = text.split('\n').find((line) => line.startsWith('gantry_instance_info{'))
  expect(info).toContain('tag_cost_centre="a \\"b\\""')
  expect(info).not.toContain('secret')
})
