import { watchRules } from '@gantry/api/metrics/metric-query.rules'
import { GiB } from '@gantry/control-plane/testing/case-values'
import {
  type Caller,
  said,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { testEnvironment } from '@gantry/control-plane/testing/environment'
import { made } from '@gantry/control-plane/testing/hidden-things'
import { testServices } from '@gantry/control-plane/testing/services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { metricWatch } from './watch.ts'

const { settings } = testEnvironment()
/** So many objects that a search of this project is refused can be made in a test. */
const bounded = { ...settings, limits: { ...settings.limits, filter_examined_rows: 4 } }

let bed: TestBed
let now = Date.parse('2026-03-02T10:00:00Z')
let member: Caller
let viewer: Caller
let operator: Caller
beforeAll(async () => {
  bed = await testControlPlane({
    idle: true,
    environment: { clock: () => new Date(now), settings: bounded },
  })
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  operator = await bed.signIn('admin')
  await made(member, '/v1/projects', { name: 'atlas', description: '' })
})
afterAll(() => bed.stop())

const at = '/ext/v1/metric-queries'
const above = (value: number, for_seconds = 0) => ({ comparison: 'above', value, for_seconds })
const filter = (name: string, query: string, more: object = {}) => ({
  name,
  description: '',
  filter_of: 'instance',
  query,
  ...more,
})
const save = (body: object, who = member) => who.post(`${at}?project=atlas`, body)
const view = async (name: string) => (await member.get(`${at}/${name}?project=atlas`)).body
const services = () => testServices({ db: bed.db, clock: () => new Date(now), settings: bounded })
async function evaluate(): Promise<void> {
  now += watchRules.everySeconds * 1000
  await metricWatch.run(services())
}
const stateOf = async (name: string) => {
  const { state, breaching, problem } = (await view(name)).watch
  return { state, breaching, problem }
}
const makeInstance = (name: string, project = 'atlas') =>
  made(member, `/v1/instances?project=${project}`, {
    name,
    description: '',
    hostname: name,
    ncpus: 1,
    memory: GiB,
    start: false,
    network_interfaces: { type: 'none' },
  })
const alerts = () =>
  bed.db.selectFrom('alert').select(['alert_class', 'payload']).orderBy('time_created').execute()

test('a filter of a list is saved in a project, and one that cannot be read is refused at its place', async () => {
  const saved = await save(filter('broken', 'state:failed'))
  expect([saved.status, saved.body]).toEqual([
    201,
    expect.objectContaining({ filter_of: 'instance', query: 'state:failed', threshold: null, watch: null }),
  ])
  expect((await viewer.get(`${at}/broken?project=atlas`)).body).toEqual(saved.body)
  expect((await save(filter('mine', 'state:failed'), viewer)).status).toBe(403)
  const refused = await save(filter('bad', 'colour:red'))
  expect([refused.status, refused.body.details]).toEqual([400, { from: 0, to: 10 }])
  const changed = await member.call('PUT', `${at}/broken?project=atlas`, { query: 'state:nowhere' })
  expect([changed.status, changed.body.message]).toEqual([400, expect.stringContaining('nowhere')])
  expect((await save(filter('bad', 'name:x', { filter_of: 'house' }))).status).toBe(400)
  expect(said(await operator.post(at, filter('bad', 'name:x')))).toBe('400 a filter is saved in a project')
  // Everybody in the project reads how many match, and so could tell on which sled an instance is.
  expect(said(await save(filter('bad', 'sled:x'), operator))).toMatch(
    /Only operators can filter their lists by sled/,
  )
})

test('its matches are counted, and raise one alert while more match than the threshold says', async () => {
  await operator.post('/v1/webhook-receivers', {
    name: 'duty',
    description: '',
    endpoint: 'https://hook.example/x',
    secrets: ['s'],
    subscriptions: ['metric.**'],
  })
  await made(member, '/v1/projects', { name: 'other', description: '' })
  await makeInstance('web-1', 'other')
  expect((await save(filter('webs', 'name:web-*', { threshold: above(1, 60) }))).status).toBe(201)
  await makeInstance('web-1')
  await evaluate()
  expect(await stateOf('webs')).toEqual({ state: 'ok', breaching: 0, problem: null })
  await makeInstance('web-2')
  await evaluate()
  expect(await stateOf('webs')).toEqual({ state: 'pending', breaching: 1, problem: null })
  for (let n = 0; n < 3; n++) await evaluate()
  expect(await stateOf('webs')).toEqual({ state: 'firing', breaching: 1, problem: null })
  expect((await view('webs')).watch.breaches).toMatchObject([{ fields: [], value: 2, is_firing: true }])
  expect(await alerts()).toMatchObject([
    {
      alert_class: 'metric.project_threshold.began',
      payload: {
        metric_query: { name: 'webs' },
        project: { name: 'atlas' },
        filter_of: 'instance',
        query: 'name:web-*',
        breaching: 1,
      },
    },
  ])
  expect((await member.call('DELETE', '/v1/instances/web-2?project=atlas')).status).toBe(204)
  await evaluate()
  expect(await stateOf('webs')).toEqual({ state: 'ok', breaching: 0, problem: null })
  // No receiver was told in between, so that the end takes the place of the beginning.
  expect((await alerts()).map(({ alert_class }) => alert_class)).toEqual(['metric.project_threshold.ended'])
})

test('a project with too many objects is not searched, and an alert that was raised stays', async () => {
  await makeInstance('web-3')
  await evaluate()
  for (let n = 0; n < 3; n++) await evaluate()
  expect((await stateOf('webs')).state).toBe('firing')
  for (const name of ['a', 'b', 'c', 'd']) await makeInstance(name)
  // How many a project has is known for half a minute.
  await evaluate()
  await evaluate()
  expect(await stateOf('webs')).toMatchObject({
    state: 'firing',
    problem: expect.stringMatching(/^more than 4 objects would have to be searched\. /),
  })
  expect((await alerts()).map(({ alert_class }) => alert_class)).toEqual(['metric.project_threshold.began'])
})
