import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { deliveryRules } from '@gantry/api/system/alert.rules'
import { change, fleetScope } from '@gantry/control-plane/change/change'
import { systemCx } from '@gantry/control-plane/context/cx'
import { raiseAlert } from '@gantry/control-plane/modules/alerts/raise'
import { testServices } from '@gantry/control-plane/testing/services'
import {
  type Caller,
  eventually as within,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { afterEach, expect, test, vi } from 'vitest'
import { served } from '../testing/served.ts'
import { guardedPost } from './guarded-post.ts'
import type { Resolve } from './resolve.ts'

// Loops look once a second, and attempts follow each other.
vi.setConfig({ testTimeout: 120_000 })
const eventually = <Value>(look: () => Promise<Value>, holds: (value: Value) => boolean) =>
  within(look, holds, 30_000)

const onLoopback = { allowed_networks: ['127.0.0.1/32'] }
const here: Resolve = () => Promise.resolve(['127.0.0.1'])
/** Shorter than in production, so that a test can wait for them. */
const limits = { connectMs: 300, requestMs: 500 }

let bed: TestBed | undefined
afterEach(async () => {
  await bed?.stop()
  bed = undefined
})

async function operated(resolve: Resolve = here): Promise<{ bed: TestBed; operator: Caller }> {
  bed = await testControlPlane({ environment: { webhooks: guardedPost(onLoopback, resolve, limits) } })
  return { bed, operator: await bed.signIn('admin') }
}

interface Heard {
  headers: IncomingHttpHeaders
  body: string
}
/** A receiver with given answers that records its requests. */
async function receiver(answer: (index: number) => number | 'hang' | 'break') {
  const heard: Heard[] = []
  const hear = async (...[request, response]: Parameters<RequestListener>) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    const said = answer(heard.push({ headers: request.headers, body }) - 1)
    if (said === 'break') response.destroy()
    else if (said !== 'hang') response.writeHead(said, { location: '/elsewhere' }).end(`said ${said}`)
  }
  return { heard, url: await served((...exchange) => void hear(...exchange)) }
}

const created = async (operator: Caller, endpoint: string, more: object = {}) =>
  (
    await operator.post('/v1/webhook-receivers', {
      name: 'pager',
      description: '',
      endpoint,
      secrets: ['first', 'second'],
      subscriptions: ['issue.**'],
      ...more,
    })
  ).body

/** Makes an issue begin: its episode is what the watch of issues would store. Issues with the same id are one condition. */
async function fails(
  { db }: TestBed,
  message: string,
  { id = crypto.randomUUID(), ended }: { id?: string; ended?: boolean } = {},
): Promise<void> {
  const issue = {
    severity: 'critical',
    message,
    next_step: 'Start it.',
    touches: [],
    since: null,
    ended: null,
  }
  await db
    .insertInto('issue_episode')
    .values({
      id: crypto.randomUUID(),
      issue_id: id,
      kind: 'failed_instance',
      issue: JSON.stringify({ id, kind: 'failed_instance', ...issue }),
      time_began: new Date(),
      ...(ended && { time_ended: new Date(), began_alerted: true }),
    })
    .execute()
}

interface Delivery {
  id: string
  alert_id: string
  state: string
  trigger: string
  attempts: { webhook: { attempt: number; result: string; response: { status: number } | null }[] }
}
const deliveries = async (operator: Caller, query = ''): Promise<Delivery[]> =>
  (await operator.get(`/v1/alert-receivers/pager/deliveries?${query}`)).body.items
const results = ({ attempts }: Delivery) => attempts.webhook.map(({ result }) => result)

test('an alert arrives signed by each secret, and is delivered once', async () => {
  const { bed, operator } = await operated()
  const { heard, url } = await receiver(() => 200)
  const { id, secrets } = await created(operator, `${url}/hook`)
  await fails(bed, 'Instance walker failed')
  await eventually(
    () => deliveries(operator),
    ([one]) => one?.state === 'delivered',
  )
  expect(heard).toHaveLength(1)
  const [{ headers, body } = { headers: {}, body: '' }] = heard
  const [delivery] = await deliveries(operator)
  expect(JSON.parse(body)).toEqual({
    alert_class: 'issue.failed_instance.began',
    alert_id: delivery?.alert_id,
    data: expect.objectContaining({ message: 'Instance walker failed' }),
    delivery: { id: delivery?.id, receiver_id: id, sent_at: headers['x-oxide-timestamp'], trigger: 'alert' },
  })
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-oxide-alert-class': 'issue.failed_instance.began',
    'x-oxide-delivery-id': delivery?.id,
  })
  const signed = ['first', 'second'].map((secret, index) => {
    const hmac = createHmac('sha256', secret).update(body).digest('hex')
    return `a=sha256&id=${secrets[index].id}&s=${hmac}`
  })
  // In any order: both secrets may be of the same millisecond.
  expect(headers['x-oxide-signature']?.toString().split(', ').toSorted()).toEqual(signed.toSorted())
  const { body: whole } = await operator.get(`/ext/v1/system/alert-deliveries/${delivery?.id}`)
  expect(whole.exchanges).toMatchObject([
    { attempt: 1, request: { body }, response_body: 'said 200', reason: null },
  ])
  expect(JSON.stringify(whole)).not.toMatch(/first|second/)
})

test('a receiver that fails, hangs and comes back gets the alerts of one condition in order', async () => {
  const { bed, operator } = await operated()
  const id = crypto.randomUUID()
  const answers = [500, 'hang', 200, 200] as const
  const { heard, url } = await receiver((index) => answers[index] ?? 200)
  await created(operator, url)
  await fails(bed, 'one', { id })
  await eventually(
    () => deliveries(operator),
    (found) => found.length === 1,
  )
  const attempted = async () => (await deliveries(operator)).flatMap(results)
  await eventually(attempted, (made) => made.length === 1)
  await fails(bed, 'two', { id, ended: true })
  const attempts = async () => (await deliveries(operator)).flatMap(results)
  await eventually(attempts, (made) => made.length === 1)
  await eventually(
    () => deliveries(operator),
    (found) => found.length === 2,
  )
  // The second alert waits behind the first, which waits for its next attempt.
  bed.pass(30_000)
  expect(heard).toHaveLength(1)
  bed.pass(31_000)
  await eventually(attempts, (made) => made.length === 2)
  bed.pass(301_000)
  await eventually(
    () => deliveries(operator),
    (found) => found.every(({ state }) => state === 'delivered'),
  )
  expect((await deliveries(operator)).map(results)).toEqual([
    ['failed_http_error', 'failed_timeout', 'succeeded'],
    ['succeeded'],
  ])
  expect(heard.map(({ body }) => JSON.parse(body).data.message)).toEqual(['one', 'one', 'one', 'two'])
})

interface Told {
  name: string
  silo_id?: string
  project_id?: string
  subject?: string
}

/** The data of an alert that a test recognises by its name. */
const dataOf = (name: string) => ({
  metric_query: { id: crypto.randomUUID(), name },
  project: null,
  filter_of: null,
  query: 'get x:y',
  threshold: null,
  is_watched: true,
  state: 'firing' as const,
  breaching: 0,
  breaches: [],
  problem: null,
  time: new Date().toISOString(),
})

/** Raises alerts in one change, as the watches do in one each. */
const raised = ({ db }: TestBed, alerts: readonly Told[]): Promise<void> =>
  change(systemCx(testServices({ db }), 'test'), fleetScope, async (tx) => {
    for (const { name, project_id = null, silo_id = project_id, subject = name } of alerts) {
      const owner = silo_id === null ? 'fleet' : 'project'
      await raiseAlert(tx, `metric.${owner}_threshold.began`, { subject, silo_id, project_id }, dataOf(name))
    }
  })
const names = (heard: readonly Heard[]): string[] =>
  heard.map(({ body }) => JSON.parse(body).data.metric_query.name)

test('alerts of the fleet go before those of a project, which has a rate, and nothing waits in between', async () => {
  const { bed, operator } = await operated()
  const { heard, url } = await receiver(() => 200)
  await created(operator, url, { subscriptions: ['metric.**'] })
  const [flapping, quiet] = [crypto.randomUUID(), crypto.randomUUID()]
  const { projectPerMinute } = deliveryRules
  const many = projectPerMinute + 20
  await raised(bed, [
    ...Array.from({ length: many }, (_, index) => ({ name: `flap-${index}`, project_id: flapping })),
    { name: 'quiet', project_id: quiet },
    { name: 'fleet-1' },
    { name: 'fleet-2' },
  ])
  await eventually(
    async () => heard.length,
    (count) => count >= 3 + projectPerMinute,
  )
  expect(names(heard).slice(0, 2)).toEqual(['fleet-1', 'fleet-2'])
  expect(names(heard)).toContain('quiet')
  expect(names(heard).filter((name) => name.startsWith('flap-'))).toHaveLength(projectPerMinute)
  // The rest follows a minute later, after what is new of the fleet.
  await raised(bed, [{ name: 'fleet-3' }])
  await eventually(
    async () => names(heard),
    (found) => found.includes('fleet-3'),
  )
  expect(heard).toHaveLength(4 + projectPerMinute)
  bed.pass(61_000)
  await eventually(
    async () => heard.length,
    (count) => count === 4 + many,
  )
  expect(new Set(names(heard)).size).toBe(4 + many)
})

test('silos take turns, and so do the projects of one', async () => {
  const { bed, operator } = await operated()
  const { heard, url } = await receiver(() => 200)
  const [large, small] = [crypto.randomUUID(), crypto.randomUUID()]
  const projects = Array.from({ length: 4 }, () => crypto.randomUUID())
  // Nothing is sent before everything waits.
  await created(operator, url, { subscriptions: ['metric.**'], secrets: [] })
  await raised(bed, [
    ...projects.flatMap((project_id, of) =>
      Array.from({ length: of === 0 ? 12 : 2 }, (_, index) => ({
        name: `large-${of}-${index}`,
        silo_id: large,
        project_id,
      })),
    ),
    ...Array.from({ length: 6 }, (_, index) => ({
      name: `small-${index}`,
      silo_id: small,
      project_id: crypto.randomUUID(),
    })),
    { name: 'fleet' },
  ])
  await operator.post('/v1/webhook-secrets?receiver=pager', { secret: 'first' })
  bed.pass(61_000)
  await eventually(
    async () => heard.length,
    (count) => count === 25,
  )
  const order = names(heard)
  expect(order[0]).toBe('fleet')
  // Of the first twelve, each silo has half, although the large one has three times as many.
  expect(order.slice(1, 13).filter((name) => name.startsWith('small'))).toHaveLength(6)
  // Within the large silo, no project waits for the one with the most.
  const ofLarge = order.filter((name) => name.startsWith('large'))
  expect(new Set(ofLarge.slice(0, 4).map((name) => name.slice(0, 7))).size).toBe(4)
})

test('what waits for a receiver is limited, and what is dropped is told', async () => {
  const { bed, operator } = await operated()
  const { heard, url } = await receiver(() => 200)
  await created(operator, url, { subscriptions: ['metric.**'], secrets: [] })
  const { waitingPerOwner } = deliveryRules
  const [flooding, quiet] = [crypto.randomUUID(), crypto.randomUUID()]
  await raised(bed, [
    { name: 'fleet' },
    { name: 'quiet', project_id: quiet },
    ...Array.from({ length: waitingPerOwner + 5 }, (_, index) => ({
      name: `flood-${index}`,
      project_id: flooding,
    })),
  ])
  const health = async () => (await operator.get('/ext/v1/system/alert-receivers')).body.items[0]
  expect(await health()).toMatchObject({ pending: waitingPerOwner + 2, failed: 5, dropped: 5 })
  const dropped = await deliveries(operator, 'failed=true&limit=100')
  expect(dropped.map(results)).toEqual(Array(5).fill([]))
  const detail = (await operator.get(`/ext/v1/system/alert-deliveries/${dropped[0]?.id}`)).body
  expect(detail).toMatchObject({ is_dropped: true, is_withheld: false, exchanges: [] })
  // The oldest of the one that floods, and nothing of others.
  expect(detail.payload.metric_query.name).toMatch(/^flood-[0-4]$/)
  await operator.post('/v1/webhook-secrets?receiver=pager', { secret: 'first' })
  bed.pass(61_000)
  await eventually(
    async () => names(heard),
    (found) => found.includes('fleet') && found.includes('quiet'),
  )
})

test('an alert replaces those of its condition that were not sent, and waits for those that were', async () => {
  const { bed, operator } = await operated()
  const { heard, url } = await receiver((index) => (index === 0 ? 500 : 200))
  await created(operator, url, { subscriptions: ['metric.**'] })
  await raised(bed, [{ name: 'began', subject: 'one' }])
  const all = () => deliveries(operator)
  await eventually(all, ([first]) => first?.attempts.webhook.length === 1)
  // The first waits for its next attempt. Of what follows, only the last is left.
  for (const name of ['ended', 'began again', 'ended again']) await raised(bed, [{ name, subject: 'one' }])
  expect(await all()).toHaveLength(2)
  expect(await bed.db.selectFrom('alert').select('payload').execute()).toHaveLength(2)
  await raised(bed, [{ name: 'another', subject: 'two' }])
  await eventually(
    async () => names(heard),
    (found) => found.includes('another'),
  )
  bed.pass(61_000)
  await eventually(
    async () => heard.length,
    (count) => count === 4,
  )
  expect(names(heard)).toEqual(['began', 'another', 'began', 'ended again'])
})

test('after three attempts a delivery fails, until a probe finds the receiver alive', async () => {
  const { bed, operator } = await operated()
  let isDown = true
  const { url } = await receiver(() => (isDown ? 'break' : 204))
  await created(operator, url)
  await fails(bed, 'lost')
  for (const [count, wait] of [
    [1, 61_000],
    [2, 301_000],
    [3, 301_000],
  ] as const) {
    await eventually(
      () => deliveries(operator),
      ([one]) => one?.attempts.webhook.length === count,
    )
    bed.pass(wait)
  }
  const [failed] = await deliveries(operator, 'failed=true')
  expect(failed && results(failed)).toEqual(Array(3).fill('failed_unreachable'))
  const probe = async () => (await operator.post('/v1/alert-receivers/pager/probe?resend=true')).body
  expect(await probe()).toMatchObject({ probe: { state: 'failed' }, resends_started: null })
  isDown = false
  expect(await probe()).toMatchObject({ probe: { state: 'delivered', trigger: 'probe' }, resends_started: 1 })
  await eventually(
    () => deliveries(operator, 'delivered=true'),
    (found) => found.length === 1,
  )
  expect(await deliveries(operator, 'delivered=true')).toMatchObject([{ trigger: 'resend' }])
  expect(await probe()).toMatchObject({ resends_started: 0 })
  const again = await operator.post(`/v1/alerts/${failed?.alert_id}/resend?receiver=pager`)
  expect(again.status).toBe(201)
  await eventually(
    () => deliveries(operator, 'delivered=true'),
    (found) => found.length === 2,
  )
})

test('an attempt whose process died is made again once its lease has ended', async () => {
  const { bed, operator } = await operated()
  const { heard, url } = await receiver(() => 200)
  await created(operator, url)
  // Another process claims the delivery before this one can, and dies.
  const lease = new Date(Date.now() + 60_000)
  const alert_id = crypto.randomUUID()
  const alert_class = 'issue.failed_instance.began' as const
  const { id } = await bed.db.selectFrom('alert_receiver').select('id').executeTakeFirstOrThrow()
  await bed.db
    .insertInto('alert')
    .values({ id: alert_id, alert_class, payload: '{}', time_created: new Date() })
    .execute()
  await bed.db
    .insertInto('alert_delivery')
    .values({
      id: crypto.randomUUID(),
      alert_receiver_id: id,
      alert_id,
      alert_class,
      trigger: 'alert',
      state: 'pending',
      position: 1,
      time_started: new Date(),
      time_next: new Date(),
      lease_until: lease,
    })
    .execute()
  bed.pass(30_000)
  expect(heard).toEqual([])
  bed.pass(31_000)
  await eventually(
    () => deliveries(operator),
    ([one]) => one?.state === 'delivered',
  )
  expect(heard).toHaveLength(1)
})

test('no request reaches an address that the operator does not allow', async () => {
  let address = '127.0.0.1'
  const { bed, operator } = await operated(() => Promise.resolve([address]))
  const { heard, url } = await receiver(() => 302)
  const port = new URL(url).port
  const probed = async (endpoint: string) => {
    expect((await operator.call('PUT', '/v1/webhook-receivers/pager', { endpoint })).status).toBe(204)
    const { probe } = (await operator.post('/v1/alert-receivers/pager/probe')).body
    return probe.attempts.webhook[0]
  }
  await created(operator, `http://hook.example:${port}/`, { subscriptions: [] })
  // A redirect is an answer, and is not followed.
  expect(await probed(`http://hook.example:${port}/`)).toMatchObject({
    result: 'failed_http_error',
    response: { status: 302 },
  })
  expect(heard).toHaveLength(1)
  for (const endpoint of [
    `http://127.0.0.2:${port}/`,
    'http://169.254.169.254/latest/meta-data',
    `http://[::1]:${port}/`,
    'http://10.0.0.1/',
    'http://127.0.0.1:22/',
  ])
    expect(await probed(endpoint), endpoint).toMatchObject({ result: 'failed_unreachable', response: null })
  // The name now leads to a forbidden address.
  address = '127.0.0.2'
  expect(await probed(`http://hook.example:${port}/`)).toMatchObject({ result: 'failed_unreachable' })
  expect(heard).toHaveLength(1)
  for (const endpoint of ['ftp://hook.example', 'http://user:word@hook.example', 'hook'])
    expect((await operator.call('PUT', '/v1/webhook-receivers/pager', { endpoint })).status).toBe(400)
  expect(bed).toBeDefined()
})

test.each(['breaks off', 'never ends'])('an answer whose body %s counts by its status', async (what) => {
  const url = await served((_request, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('begun', () => what === 'breaks off' && setTimeout(() => response.destroy(), 50))
  })
  const { post } = guardedPost(onLoopback, here, limits)
  expect(await post({ url, headers: {}, body: '{}' })).toEqual({
    kind: 'answered',
    status: 200,
    body: 'begun',
  })
})
