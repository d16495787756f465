import { alertClassNames, classesOf } from '@gantry/api/system/alert-class.rules'
import { issues } from '@gantry/api/system/issue-words.rules'
import { issueKinds } from '@gantry/api/system/system.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { testServices } from '../../testing/services.ts'
import { keepEpisodes } from '../system/episodes.ts'
import { alertWatch } from './watch.ts'

let bed: TestBed
let operator: Caller
let member: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
})
afterAll(() => bed.stop())

/** Kinds of issues with classes of their own. */
const alerted = issueKinds.filter((kind) => issues[kind] !== null)
const began = alerted.map((kind) => `issue.${kind}.began`)

test.each([
  ['issue.failed_instance.began', ['issue.failed_instance.began']],
  ['issue.*.began', began],
  ['**.began', [...began, 'metric.fleet_threshold.began', 'metric.project_threshold.began']],
  ['issue.*', []],
  ['*', []],
  ['issue.nearly_*.began', []],
  ['metric.**.ended', ['metric.fleet_threshold.ended', 'metric.project_threshold.ended']],
  ['probe', ['probe']],
  ['nothing', []],
])('%s covers %j', (subscription, covered) => expect(classesOf(subscription)).toEqual(covered))

test('globs cover everything but probes', () => {
  expect(['issue.**', 'metric.**', 'activity.**'].flatMap(classesOf)).toEqual(classesOf('**'))
  expect(classesOf('**')).toEqual(alertClassNames.filter((name) => name !== 'probe'))
})

const hook = {
  description: 'pages the people on duty',
  endpoint: 'https://hook.example/x',
  secrets: ['swordfish'],
}
const view = async (name: string) => (await operator.get(`/v1/alert-receivers/${name}`)).body

test('a receiver is created, changed and deleted, and never reveals its secrets', async () => {
  const made = await operator.post('/v1/webhook-receivers', {
    ...hook,
    name: 'duty',
    subscriptions: ['issue.**', 'issue.failed_instance.began'],
  })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    name: 'duty',
    endpoint: hook.endpoint,
    secrets: [{ id: expect.any(String) }],
    subscriptions: ['issue.failed_instance.began', 'issue.**'],
  })
  const again = await operator.post('/v1/webhook-receivers', { ...hook, name: 'duty' })
  expect(again.body.message).toBe('already exists: alert-receiver "duty"')
  const update = { name: 'night', endpoint: 'HTTPS://Hook.Example:443' }
  expect((await operator.call('PUT', '/v1/webhook-receivers/duty', update)).status).toBe(204)
  const { id } = made.body
  expect(await view('night')).toMatchObject({
    id,
    description: hook.description,
    kind: { kind: 'webhook', endpoint: 'https://hook.example/', secrets: made.body.secrets },
  })
  expect((await member.get(`/v1/alert-receivers/${id}`)).status).toBe(404)
  expect((await member.get('/v1/alert-receivers')).status).toBe(403)

  const secret = await operator.post('/v1/webhook-secrets?receiver=night', { secret: 'mackerel' })
  expect(secret.status).toBe(201)
  expect((await operator.get('/v1/webhook-secrets?receiver=night')).body.secrets).toHaveLength(2)
  const removed = `/v1/webhook-secrets/${secret.body.id}`
  expect((await operator.call('DELETE', removed)).status).toBe(204)
  expect((await operator.call('DELETE', removed)).body.message).toBe(
    `not found: webhook-secret with id "${secret.body.id}"`,
  )
  const answers = await Promise.all(
    [
      '/v1/alert-receivers',
      '/ext/v1/system/alert-receivers',
      '/ext/v1/system/audit-log?whole=true&start_time=2020-01-01T00:00:00Z',
    ].map(async (path) => (await operator.get(path)).body),
  )
  const changes = await bed.db.selectFrom('change').selectAll().execute()
  for (const never of ['swordfish', 'mackerel'])
    expect(JSON.stringify([answers, changes])).not.toContain(never)

  expect((await operator.call('DELETE', '/v1/alert-receivers/night')).status).toBe(204)
  expect((await operator.get('/v1/alert-receivers')).body.items).toEqual([])
  for (const table of ['webhook_secret', 'alert_subscription'] as const)
    expect(await bed.db.selectFrom(table).selectAll().execute()).toEqual([])
})

test('subscriptions follow the language of patterns', async () => {
  await operator.post('/v1/webhook-receivers', { ...hook, name: 'lang' })
  const at = '/v1/alert-receivers/lang/subscriptions'
  const add = async (subscription: string) => (await operator.post(at, { subscription })).body
  expect(await add('issue.**')).toEqual({ subscription: 'issue.**' })
  expect(await add('issue.**')).toEqual({ subscription: 'issue.**' })
  expect((await add('probe')).message).toContain('webhook receivers cannot subscribe to probes')
  expect((await add('no.such.class')).message).toContain('expected one of [probe, issue.')
  for (const bad of ['', 'a..b', 'a.b*', 'a b', '***'])
    expect((await operator.post(at, { subscription: bad })).status).toBe(400)
  const remove = async (subscription: string) =>
    (await operator.call('DELETE', `${at}/${encodeURIComponent(subscription)}`)).status
  expect(await remove('**')).toBe(204)
  expect(await remove('no.such.class')).toBe(400)
  // An exact class also leaves the glob.
  expect(await remove('issue.failed_instance.began')).toBe(204)
  const { dropped } = await bed.db.selectFrom('alert_subscription').selectAll().executeTakeFirstOrThrow()
  expect(dropped).toEqual(['issue.failed_instance.began'])
  expect((await view('lang')).subscriptions).toEqual(['issue.**'])
  expect(await remove('issue.**')).toBe(204)
  expect((await view('lang')).subscriptions).toEqual([])
})

test('classes are listed, and filtered by a pattern', async () => {
  const names = async (query: string) =>
    (await operator.get(`/v1/alert-classes${query}`)).body.items?.map(({ name }: { name: string }) => name)
  expect(await names('?limit=1000')).toEqual(alertClassNames)
  expect(await names('?filter=issue.*.ended')).toHaveLength(alerted.length)
  expect(await names('?filter=nearly_full_pool')).toHaveLength(2)
  expect((await operator.get('/v1/alert-classes?filter=probe')).status).toBe(400)
  expect((await member.get('/v1/alert-classes')).status).toBe(403)
})

test('classes are listed in pages, with the filter of the first', async () => {
  const page = async (query: string) => (await operator.get(`/v1/alert-classes?${query}`)).body
  const whole = await page('filter=issue.**')
  const first = await page('filter=issue.**&limit=9')
  expect(first.items).toEqual(whole.items.slice(0, 9))
  const second = await page(`limit=9&page_token=${first.next_page}`)
  expect(second.items).toEqual(whole.items.slice(9))
  expect(await page(`page_token=${second.next_page}`)).toEqual({ items: [], next_page: null })
  expect((await operator.get('/v1/alert-classes?page_token=other')).status).toBe(400)
})

test('a probe needs a secret, and a server that can send', async () => {
  const probe = () => operator.post('/v1/alert-receivers/lang/probe')
  expect((await probe()).body.message).toBe('this server cannot send requests to others')
  const [secret] = (await operator.get('/v1/webhook-secrets?receiver=lang')).body.secrets
  await operator.call('DELETE', `/v1/webhook-secrets/${secret.id}`)
  expect((await probe()).body.message).toBe('receiver has no secrets, so delivery requests cannot be sent')
  const unknown = crypto.randomUUID()
  expect((await operator.post(`/v1/alerts/${unknown}/resend?receiver=lang`)).body.message).toBe(
    `not found: alert with id "${unknown}"`,
  )
})

test('alerts say when an issue began and ended, also if that was not known when it was seen', async () => {
  const issue = {
    id: 'quota_near_limit:x',
    kind: 'quota_near_limit',
    severity: 'warning',
    message: 'Silo x uses 90% of its storage quota.',
    next_step: 'Raise the quota.',
    touches: [],
    since: null,
    ended: null,
  }
  const [time_began, time_ended] = [new Date(Date.now() - 60_000), new Date()]
  const episode = { id: crypto.randomUUID(), issue_id: issue.id, kind: 'quota_near_limit' as const }
  await bed.db
    .insertInto('issue_episode')
    .values({ ...episode, issue: JSON.stringify(issue), time_began, time_ended })
    .execute()
  await alertWatch.run(testServices({ db: bed.db }))
  const alerts = await eventually(
    () =>
      bed.db
        .selectFrom('alert')
        .select(['alert_class', 'payload'])
        .where('alert_class', 'in', ['issue.quota_near_limit.began', 'issue.quota_near_limit.ended'])
        .orderBy('alert_class')
        .execute(),
    ({ length }) => length === 2,
  )
  const since = time_began.toISOString()
  expect(alerts).toMatchObject([
    { alert_class: 'issue.quota_near_limit.began', payload: { since, ended: null } },
    { alert_class: 'issue.quota_near_limit.ended', payload: { since, ended: time_ended.toISOString() } },
  ])
})

test('every kind of issue but thresholds, of which their query tells, has a class for its beginning and its end', () => {
  expect(issueKinds.filter((kind) => !alerted.includes(kind))).toEqual(['metric_threshold'])
  const of = (kind: string) => [`issue.${kind}.began`, `issue.${kind}.ended`]
  expect(classesOf('issue.**')).toEqual(alerted.flatMap(of))
})

test('each class has the schema of its data', async () => {
  const { items, schemas } = (await operator.get('/ext/v1/system/alert-classes?limit=1000')).body
  expect(items.map(({ name }: { name: string }) => name)).toEqual(alertClassNames)
  const payloadsOf = (area: string) =>
    new Set(
      items
        .filter(({ name }: { name: string }) => name.startsWith(area))
        .map(({ payload }: { payload: string }) => payload),
    )
  expect(payloadsOf('issue.')).toEqual(new Set(['IssueAlert']))
  expect(payloadsOf('activity.')).toEqual(new Set(['ActivityAlert']))
  expect(schemas.IssueAlert).toMatchObject({ type: 'object', properties: { next_step: { type: 'string' } } })
  expect(Object.keys(schemas)).toEqual(['ActivityAlert', 'IssueAlert', 'MetricAlert', 'ProbeAlert'])
  const page = (await operator.get('/ext/v1/system/alert-classes?filter=metric.**')).body
  expect(Object.keys(page.schemas)).toEqual(['MetricAlert'])
  expect((await member.get('/ext/v1/system/alert-classes')).status).toBe(403)
})

test('processes that watch at once raise one alert, and one that dies raises none without its mark', async () => {
  const subject = 'nearly_full_pool:at-once'
  const issue = { id: subject, kind: 'nearly_full_pool', severity: 'warning', message: 'm', next_step: 'n' }
  const episode = crypto.randomUUID()
  await bed.db
    .insertInto('issue_episode')
    .values({
      id: episode,
      issue_id: subject,
      kind: 'nearly_full_pool',
      issue: JSON.stringify({ ...issue, touches: [], since: null, ended: null }),
      time_began: new Date(),
    })
    .execute()
  const processes = Array.from({ length: 4 }, () => testServices({ db: bed.db }))
  await Promise.all(processes.map((services) => alertWatch.run(services)))
  const raised = () =>
    bed.db.selectFrom('alert').select('alert_class').where('subject', '=', subject).execute()
  expect(await raised()).toHaveLength(1)
  // The mark and the alert commit together: without one there is not the other, and the next process raises it.
  await bed.db.updateTable('issue_episode').set({ began_alerted: false }).where('id', '=', episode).execute()
  await bed.db.deleteFrom('alert').where('subject', '=', subject).execute()
  const dying = testServices({
    db: bed.db,
    random: () => {
      throw new Error('this process dies')
    },
  })
  await Promise.resolve(alertWatch.run(dying)).catch(() => undefined)
  const { began_alerted } = await bed.db
    .selectFrom('issue_episode')
    .select('began_alerted')
    .where('id', '=', episode)
    .executeTakeFirstOrThrow()
  expect((await raised()).length).toBe(began_alerted ? 1 : 0)
  await alertWatch.run(testServices({ db: bed.db }))
  expect(await raised()).toHaveLength(1)
})

test('a lost sled raises an alert of the fleet when its fault begins, and one when it ends', async () => {
  const { name, id: sled_id } = (await operator.get('/v1/system/hardware/sleds')).body.items.map(
    ({ id, baseboard }: { id: string; baseboard: { serial: string } }) => ({ id, name: baseboard.serial }),
  )[0]
  const fault = await operator.post('/ext/v1/faults', { kind: 'sled_lost', sled_id })
  const services = testServices({ db: bed.db })
  await keepEpisodes(services)
  await alertWatch.run(services)
  const about = async () =>
    bed.db
      .selectFrom('alert')
      .select(['alert_class', 'payload', 'project_id'])
      .where('alert_class', 'in', ['issue.fault.began', 'issue.fault.ended'])
      .orderBy('time_created')
      .execute()
  expect(await about()).toMatchObject([
    { alert_class: 'issue.fault.began', project_id: null, payload: { touches: [{ kind: 'sled', name }] } },
  ])
  expect((await operator.call('DELETE', `/ext/v1/faults/${fault.body.id}`)).status).toBe(204)
  await keepEpisodes(services)
  await alertWatch.run(services)
  expect((await about()).map(({ alert_class }) => alert_class)).toContain('issue.fault.ended')
})

test('what a lost sled takes down is told after it, with the sled as its cause', async () => {
  const other = await testControlPlane()
  const admin = await other.signIn('admin')
  const body = { name: 'down', description: '', hostname: 'down', ncpus: 1, memory: 1024 ** 3 }
  const policy = { auto_restart_policy: 'never' }
  const { id } = (await admin.post('/v1/instances?project=playground', { ...body, ...policy })).body
  const at = '/v1/instances/down?project=playground'
  const becomes = (state: string) =>
    eventually(
      () => admin.get(at),
      (answer) => answer.body.run_state === state,
    )
  await becomes('running')
  const { sled_id } = await other.db
    .selectFrom('vmm')
    .select('sled_id')
    .where('instance_id', '=', id)
    .executeTakeFirstOrThrow()
  const fault = (await admin.post('/ext/v1/faults', { kind: 'sled_lost', sled_id })).body
  await becomes('failed')
  const services = testServices({ db: other.db })
  await keepEpisodes(services)
  await alertWatch.run(services)
  const alerts = await eventually(
    () =>
      other.db
        .selectFrom('alert')
        .select(['subject', 'alert_class', 'payload', 'time_created'])
        .where('alert_class', 'in', ['issue.fault.began', 'issue.failed_instance.began'])
        .orderBy('time_created')
        .execute(),
    (found) => found.some(({ subject }) => subject === `failed_instance:${id}`),
  )
  const order = alerts.map(({ subject }) => subject)
  expect(order.indexOf(`fault:${fault.id}`)).toBeGreaterThan(-1)
  expect(order.indexOf(`fault:${fault.id}`)).toBeLessThan(order.indexOf(`failed_instance:${id}`))
  expect(alerts.find(({ subject }) => subject === `failed_instance:${id}`)?.payload).toMatchObject({
    cause: `fault:${fault.id}`,
  })
  await other.stop()
})

test.each(alerted)(
  'an issue of kind %s raises an alert of its class when it begins and when it ends',
  async (kind) => {
    const subject = `${kind}:of-its-class`
    const issue = { id: subject, kind, severity: 'error', message: 'm', next_step: 'n', touches: [] }
    const time = new Date()
    await bed.db
      .insertInto('issue_episode')
      .values({
        id: crypto.randomUUID(),
        issue_id: subject,
        kind,
        issue: JSON.stringify({ ...issue, since: null, ended: null }),
        time_began: time,
        time_ended: time,
      })
      .execute()
    await alertWatch.run(testServices({ db: bed.db }))
    const raised = await eventually(
      () => bed.db.selectFrom('alert').select('alert_class').where('subject', '=', subject).execute(),
      ({ length }) => length === 2,
    )
    expect(raised.map(({ alert_class }) => alert_class).toSorted()).toEqual([
      `issue.${kind}.began`,
      `issue.${kind}.ended`,
    ])
  },
)
