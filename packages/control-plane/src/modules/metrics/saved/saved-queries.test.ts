import { watchRules } from '@gantry/api/metrics/metric-query.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServices } from '@gantry/control-plane/testing/services'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { keepEpisodes } from '../../system/episodes.ts'
import { sample } from '../sampling/sampler.ts'
import { DatabaseWriter } from '../store/database/writer.ts'
import { metricWatch } from './watch.ts'

let bed: TestBed
let now = Date.parse('2026-03-02T10:00:00Z')
let member: Caller
let viewer: Caller
let operator: Caller
beforeAll(async () => {
  bed = await testControlPlane({ idle: true, environment: { clock: () => new Date(now) } })
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  operator = await bed.signIn('admin')
  await member.post('/v1/projects', { name: 'atlas', description: '' })
})
afterAll(() => bed.stop())

const services = () => testServices({ db: bed.db, clock: () => new Date(now) })
const at = '/ext/v1/metric-queries'
const temperature = 'get hardware_component:temperature | filter timestamp > @now() - 5m | last 1'
const usage = 'get virtual_machine:vcpu_usage | filter timestamp > @now() - 5m'
const above = (value: number, for_seconds = 0) => ({ comparison: 'above', value, for_seconds })
const body = (name: string, more: object = {}) => ({ name, description: '', query: usage, ...more })

describe('a saved query', () => {
  test('is created, shared, changed and deleted in a project', async () => {
    const made = await member.post(`${at}?project=atlas`, body('cpu'))
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({ name: 'cpu', query: usage, threshold: null, watch: null }),
    ])
    expect((await viewer.get(`${at}/cpu?project=atlas`)).body).toEqual(made.body)
    expect((await viewer.get(`${at}?project=atlas`)).body.items).toEqual([made.body])
    const again = await member.post(`${at}?project=atlas`, body('cpu'))
    expect(again.body.message).toBe('already exists: metric-query "cpu"')
    const put = await member.call('PUT', `${at}/${made.body.id}`, { name: 'load', threshold: above(1, 300) })
    expect(put.body).toMatchObject({
      name: 'load',
      query: usage,
      threshold: above(1, 300),
      watch: { state: 'no_data', time_evaluated: null },
    })
    const stale = { 'if-match': made.headers.get('etag') ?? '' }
    expect((await member.call('PUT', `${at}/load?project=atlas`, {}, stale)).status).toBe(412)
    // A threshold is replaced as a whole.
    expect((await member.call('PUT', `${at}/load?project=atlas`, {})).body.threshold).toBe(null)
    expect((await viewer.call('DELETE', `${at}/load?project=atlas`)).status).toBe(403)
    expect((await member.call('DELETE', `${at}/load?project=atlas`)).status).toBe(204)
    expect((await member.get(`${at}/load?project=atlas`)).status).toBe(404)
  })

  test('is refused for a syntax error, with its position', async () => {
    const { status, body: refused } = await member.post(
      `${at}?project=atlas`,
      body('bad', { query: 'get x:y | fliter a == 1' }),
    )
    expect([status, refused.details]).toEqual([400, expect.objectContaining({ line: 1 })])
    for (const threshold of [
      above(1, -1),
      above(1, 86_401),
      { comparison: 'near', value: 1, for_seconds: 0 },
    ])
      expect((await member.post(`${at}?project=atlas`, body('bad', { threshold }))).status).toBe(400)
  })

  test('of the fleet is hidden from everyone who may not read the fleet', async () => {
    const made = await operator.post(at, body('hot', { query: temperature }))
    expect([made.status, made.body.project_id]).toEqual([201, null])
    expect((await operator.get(`${at}/hot`)).body).toEqual(made.body)
    expect((await operator.get(at)).body.items).toHaveLength(1)
    expect((await member.get(`${at}/hot`)).status).toBe(404)
    expect((await member.get(`${at}/${made.body.id}`)).status).toBe(404)
    expect((await member.get(at)).status).toBe(403)
    expect((await member.post(at, body('mine'))).status).toBe(403)
    // The same name is free in a project.
    expect((await member.post(`${at}?project=atlas`, body('hot'))).status).toBe(201)
    expect((await operator.post(at, body('hot'))).status).toBe(400)
    for (const path of [`${at}/hot`, `${at}/hot?project=atlas`])
      expect((await operator.call('DELETE', path)).status).toBe(204)
  })

  test('is deleted with its project', async () => {
    await member.post('/v1/projects', { name: 'brief', description: '' })
    // A VPC would keep the project.
    await member.call('DELETE', '/v1/vpc-subnets/default?project=brief&vpc=default')
    await member.call('DELETE', '/v1/vpcs/default?project=brief')
    const { id } = (await member.post(`${at}?project=brief`, body('cpu', { threshold: above(1) }))).body
    expect((await member.call('DELETE', '/v1/projects/brief')).status).toBe(204)
    expect((await member.get(`${at}/${id}`)).status).toBe(404)
    await metricWatch.run(services())
    expect(await bed.db.selectFrom('metric_watch').selectAll().execute()).toEqual([])
  })
})

describe('a query with a threshold', () => {
  const evaluateAll = async (seconds: number = watchRules.everySeconds): Promise<void> => {
    for (let left = seconds; left > 0; left -= 10) {
      now += 10_000
      const writer = new DatabaseWriter(bed.db)
      await sample(services(), writer, { from: now - 10_000, until: now })
    }
    await metricWatch.run(services())
  }
  const view = async (name: string) => (await operator.get(`${at}/${name}`)).body
  const history = async (name: string): Promise<string[]> =>
    (await operator.get(`${at}/${name}/history`)).body.items.map((event: { state: string }) => event.state)
  const alerts = async (): Promise<string[]> =>
    (await bed.db.selectFrom('alert').select('alert_class').orderBy('time_created').execute()).map(
      (alert) => alert.alert_class,
    )

  test('is pending, fires, raises one alert, and ends', async () => {
    await operator.post('/v1/webhook-receivers', {
      name: 'duty',
      description: '',
      endpoint: 'https://hook.example/x',
      secrets: ['s'],
      subscriptions: ['metric.**'],
    })
    await operator.post(at, body('hot', { query: temperature, threshold: above(-100, 60) }))
    await evaluateAll()
    expect((await view('hot')).watch).toMatchObject({ state: 'pending', problem: null })
    await evaluateAll()
    expect((await view('hot')).watch.state).toBe('pending')
    await evaluateAll()
    const { watch } = await view('hot')
    expect(watch).toMatchObject({ state: 'firing', since: new Date(now).toISOString() })
    expect(watch.breaches).toHaveLength(watchRules.breachesShown)
    expect(watch.breaching).toBeGreaterThan(watchRules.breachesShown)
    await evaluateAll()
    expect(await alerts()).toEqual(['metric.fleet_threshold.began'])
    const { items } = (await operator.get('/v1/alert-receivers/duty/deliveries')).body
    expect(items).toMatchObject([{ alert_class: 'metric.fleet_threshold.began', state: 'pending' }])

    await keepEpisodes(services())
    const issues = (await operator.get('/ext/v1/system/issues?kind=metric_threshold')).body.items
    expect(issues).toMatchObject([
      {
        message: expect.stringMatching(/^Saved query hot has \d+ timeseries above -100 for 1 minute\.$/),
        touches: [{ kind: 'metric-query', name: 'hot' }],
      },
    ])

    await operator.call('PUT', `${at}/hot`, { threshold: above(1000, 60) })
    await evaluateAll()
    expect((await view('hot')).watch.state).toBe('ok')
    // Its beginning was not delivered, so its end replaces it.
    expect(await alerts()).toEqual(['metric.fleet_threshold.ended'])
    expect(await history('hot')).toEqual(['ok', 'firing', 'pending'])
  })

  test('that is refused while firing keeps firing, with the reason', async () => {
    const before = (await alerts()).length
    await operator.post(at, body('often', { query: temperature, threshold: above(-100) }))
    await evaluateAll()
    now += watchRules.everySeconds * 1000
    const { settings, ...rest } = services()
    const metrics = { ...settings.metrics, query_points: 1 }
    await metricWatch.run({ ...rest, settings: { ...settings, metrics } })
    const { watch } = await view('often')
    expect(watch).toMatchObject({ state: 'firing', problem: expect.stringMatching(/limit/) })
    await evaluateAll()
    expect((await view('often')).watch).toMatchObject({ state: 'firing', problem: null })
    expect((await alerts()).slice(before)).toEqual(['metric.fleet_threshold.began'])
    await operator.call('DELETE', `${at}/often`)
    await evaluateAll()
  })

  test('that is deleted while it fires ends its alert', async () => {
    const before = (await alerts()).length
    await operator.post(at, body('gone', { query: temperature, threshold: above(-100) }))
    await evaluateAll()
    expect((await view('gone')).watch.state).toBe('firing')
    await operator.call('DELETE', `${at}/gone`)
    await evaluateAll()
    await evaluateAll()
    expect((await alerts()).slice(before)).toEqual(['metric.fleet_threshold.ended'])
  })

  test('of a project sees only the project, and reports what it cannot compare', async () => {
    const threshold = above(0)
    // Simulates an instance of another project that ran.
    const sampled = { name: 'virtual_machine:vcpu_usage', time_created: new Date(now) }
    await bed.db.insertInto('timeseries_name').values(sampled).execute()
    await member.post(`${at}?project=atlas`, body('cpu', { threshold }))
    await member.post(`${at}?project=atlas`, body('far', { query: temperature, threshold }))
    await evaluateAll()
    const watch = async (name: string) => (await member.get(`${at}/${name}?project=atlas`)).body.watch
    // Nothing runs in the project.
    expect(await watch('cpu')).toMatchObject({ state: 'no_data', problem: null })
    expect(await watch('far')).toMatchObject({
      state: 'no_data',
      problem: expect.stringContaining('silo_id'),
    })
  })

  test('is evaluated by one process at a time, and again after its holder has died', async () => {
    await operator.post(at, body('once', { query: temperature, threshold: above(-100) }))
    const row = () =>
      bed.db
        .selectFrom('metric_watch')
        .innerJoin('metric_query', 'metric_query.id', 'metric_watch.metric_query_id')
        .selectAll('metric_watch')
        .where('metric_query.name', '=', 'once')
        .executeTakeFirstOrThrow()
    // Simulates a lease holder that died.
    await bed.db
      .updateTable('metric_watch')
      .set({ lease_until: new Date(now + 120_000) })
      .where('metric_query_id', '=', (await row()).metric_query_id)
      .execute()
    await evaluateAll()
    expect((await row()).evaluated).toBe(null)
    await evaluateAll(120)
    expect(await row()).toMatchObject({ state: 'firing', lease_until: null })
    const before = (await history('once')).length
    await Promise.all([1, 2, 3].map(() => metricWatch.run(services())))
    expect(await history('once')).toHaveLength(before)
  })

  test('is evaluated in turn with those of other projects, however many of one are due', async () => {
    await member.post('/v1/projects', { name: 'calm', description: '' })
    for (const name of ['one', 'two', 'three'])
      await member.post(`${at}?project=atlas`, body(name, { threshold: above(0) }))
    await bed.db
      .updateTable('metric_watch')
      .set({ due: new Date(now - 1000) })
      .execute()
    await member.post(`${at}?project=calm`, body('last', { threshold: above(0) }))
    const clock = () => new Date(now++)
    await metricWatch.run(testServices({ db: bed.db, clock }))
    const order = await bed.db
      .selectFrom('metric_watch')
      .innerJoin('metric_query', 'metric_query.id', 'metric_watch.metric_query_id')
      .innerJoin('project', 'project.id', 'metric_query.project_id')
      .select('project.name')
      .orderBy('metric_watch.evaluated')
      .execute()
    expect(order.length).toBeGreaterThan(3)
    expect(order[1]?.name).toBe('calm')
  })
})
