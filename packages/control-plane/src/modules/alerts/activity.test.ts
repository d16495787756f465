import { alertPayloads } from '@gantry/api/system/alert-payload'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raiseRolesEpoch } from '../../authz/held-roles.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'
import { testServices } from '../../testing/services.ts'
import { considerActivity } from './activity.ts'

let bed: TestBed
/** Fleet admin, and viewer of the project by a role there. */
let operator: Caller
let member: Caller
let project: string
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
  project = await made(member, '/v1/projects', { name: 'atlas', description: '' })
  await made(member, '/v1/projects', { name: 'other', description: '' })
})
afterAll(() => bed.stop())

const receive = async (name: string, subscriptions: string[]) =>
  made(operator, '/v1/webhook-receivers', {
    name,
    description: '',
    endpoint: 'https://hook.example/',
    secrets: [],
    subscriptions,
  })
const places = (name: string) => `/ext/v1/system/alert-receivers/${name}/activity-places`
const disk = (name: string, at: string) =>
  made(member, `/v1/disks?project=${at}`, {
    name,
    description: '',
    size: 2 ** 30,
    disk_source: { type: 'blank', block_size: 512 },
  })

/** Considers everything up to now. */
async function settle(): Promise<void> {
  await eventually(
    () => bed.db.selectFrom('change').select('id').where('seq', 'is', null).execute(),
    ({ length }) => length === 0,
  )
  const services = testServices({ db: bed.db })
  while (await considerActivity(services));
}

const received = async (receiver: string) =>
  bed.db
    .selectFrom('alert_delivery')
    .innerJoin('alert', 'alert.id', 'alert_delivery.alert_id')
    .select(['alert.alert_class', 'alert.payload', 'alert_delivery.silo_id', 'alert_delivery.project_id'])
    .select('alert_delivery.id')
    .where('alert_delivery.alert_receiver_id', '=', receiver)
    .orderBy('alert_delivery.position')
    .execute()

test('a receiver gets the activity of the fleet, and of a silo nothing without a place', async () => {
  const id = await receive('fleet-only', ['activity.**'])
  await settle()
  await made(operator, '/v1/system/ip-pools', { name: 'pool-1', description: '' })
  await disk('unheard', 'atlas')
  await settle()
  const alerts = await received(id)
  expect(alerts.map(({ alert_class }) => alert_class)).toContain('activity.ip_pool.created')
  expect(alerts.every(({ silo_id }) => silo_id === null)).toBe(true)
  const pool = alerts.find(({ alert_class }) => alert_class === 'activity.ip_pool.created')
  expect(alertPayloads.ActivityAlert.parse(pool?.payload)).toMatchObject({
    outcome: 'done',
    actor: { kind: 'user', name: 'admin' },
    operation: 'ip_pool_create',
    request_id: expect.any(String),
    changes: [{ kind: 'ip-pool', name: 'pool-1', action: 'created' }],
  })
})

test('a receiver gets the activity of its places, by kind and action, as told in Activity', async () => {
  const id = await receive('of-project', ['activity.disk.deleted', 'activity.instance.*'])
  expect((await operator.post(places('of-project'), { project: 'atlas' })).body).toMatchObject({
    project: { id: project, name: 'atlas' },
    is_heard: true,
  })
  const data = await disk('data', 'atlas')
  const tags = [{ key: 'env', value: 'prod' }]
  await member.call('PUT', `/ext/v1/tags/${data}?kind=disk`, { tags })
  const elsewhere = await disk('data', 'other')
  await member.post('/v1/instances?project=atlas', {
    name: 'web',
    description: '',
    ncpus: 1,
    memory: 2 ** 30,
    hostname: 'web',
    start: false,
    user_data: 'c2VjcmV0LXRoaW5n',
  })
  expect((await member.call('DELETE', '/v1/disks/data?project=atlas')).status).toBe(204)
  expect((await member.call('DELETE', `/v1/disks/${elsewhere}`)).status).toBe(204)
  await settle()
  const alerts = await received(id)
  expect(alerts.map(({ alert_class }) => alert_class)).toEqual([
    'activity.instance.created',
    'activity.disk.deleted',
  ])
  expect(alerts.every(({ project_id }) => project_id === project)).toBe(true)
  const activity = (await operator.get('/ext/v1/activity?project=atlas')).body.items
  for (const { payload } of alerts) {
    const { tags: _, ...told } = payload
    expect(told).toEqual(activity.find((entry: { id: string }) => entry.id === told.id))
  }
  expect(alerts.map(({ payload }) => payload.tags)).toEqual([[], tags])
  expect(JSON.stringify(alerts)).not.toContain('c2VjcmV0LXRoaW5n')
})

test('who may not see a place can neither add it nor read what it told', async () => {
  const viewer = await bed.addUser('fleet-viewer', { roles: [{ at: 'fleet', role: 'viewer' }] })
  const admin = await bed.addUser('fleet-admin', { roles: [{ at: 'fleet', role: 'admin' }] })
  expect((await viewer.post(places('of-project'), { project: 'atlas' })).status).toBe(403)
  expect((await member.post(places('of-project'), { project: 'atlas' })).status).toBe(404)
  expect((await admin.post(places('of-project'), { project: 'atlas' })).status).toBe(404)
  expect((await admin.post(places('of-project'), { project: null })).status).toBe(400)
  const { id } = await bed.db
    .selectFrom('alert_delivery')
    .select('id')
    .where('alert_class', '=', 'activity.disk.deleted')
    .executeTakeFirstOrThrow()
  const read = async (by: Caller) => (await by.get(`/ext/v1/system/alert-deliveries/${id}`)).body
  expect(await read(viewer)).toMatchObject({ is_withheld: true, payload: {} })
  expect(await read(operator)).toMatchObject({ is_withheld: false, payload: { changes: [{ name: 'data' }] } })
})

test('a place is silent once who added it has lost sight of it, until another user adds it', async () => {
  const id = await receive('inherited', ['activity.disk.*'])
  const leaving = await bed.addUser('leaving', {
    roles: [
      { at: 'fleet', role: 'admin' },
      { at: 'silo', role: 'viewer' },
    ],
  })
  await leaving.post(places('inherited'), { project: 'atlas' })
  await disk('seen', 'atlas')
  await settle()
  expect(await received(id)).toHaveLength(1)
  await bed.db
    .deleteFrom('role_assignment')
    .where('identity_id', '=', leaving.id)
    .where('resource_type', '=', 'silo')
    .execute()
  await raiseRolesEpoch(bed.db)
  await disk('unseen', 'atlas')
  await settle()
  expect(await received(id)).toHaveLength(1)
  const listed = async () => (await operator.get(places('inherited'))).body.items
  expect(await listed()).toMatchObject([{ is_heard: false, added_by: { name: 'leaving' } }])
  await operator.post(places('inherited'), { project: 'atlas' })
  expect(await listed()).toMatchObject([{ is_heard: true, added_by: { name: 'admin' } }])
  await disk('seen-again', 'atlas')
  await settle()
  expect(await received(id)).toHaveLength(2)
  const [place] = await listed()
  expect((await operator.call('DELETE', `${places('inherited')}/${place.id}`)).status).toBe(204)
  expect((await operator.call('DELETE', `${places('inherited')}/${place.id}`)).status).toBe(404)
  await disk('unheard-of', 'atlas')
  await settle()
  expect(await received(id)).toHaveLength(2)
})

test('all of a silo is one place', async () => {
  const id = await receive('of-silo', ['activity.disk.created', 'activity.project.created'])
  expect((await operator.post(places('of-silo'), { project: null })).body).toMatchObject({ project: null })
  await made(member, '/v1/projects', { name: 'new', description: '' })
  await disk('of-new', 'new')
  await settle()
  expect((await received(id)).map(({ alert_class }) => alert_class)).toEqual([
    'activity.project.created',
    'activity.disk.created',
  ])
})

test('processes that consider at once raise each entry once, and one that dies loses none', async () => {
  const id = await receive('once', ['activity.disk.created'])
  await operator.post(places('once'), { project: 'other' })
  await settle()
  for (let index = 0; index < 6; index++) await disk(`once-${index}`, 'other')
  await eventually(
    () => bed.db.selectFrom('change').select('id').where('seq', 'is', null).execute(),
    ({ length }) => length === 0,
  )
  const dying = testServices({
    db: bed.db,
    random: () => {
      throw new Error('this process dies')
    },
  })
  await considerActivity(dying).catch(() => undefined)
  const processes = Array.from({ length: 4 }, () => testServices({ db: bed.db }))
  await Promise.all(processes.map((services) => considerActivity(services)))
  await settle()
  const names = (await received(id)).map(({ payload }) => (payload.changes as { name: string }[])[0]?.name)
  expect(names).toEqual(Array.from({ length: 6 }, (_, index) => `once-${index}`))
})
