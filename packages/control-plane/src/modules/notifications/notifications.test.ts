import type { Notification } from '@gantry/api/history/notification'
import { notificationLimits } from '@gantry/api/history/notification.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { change, fleetScope } from '../../change/change.ts'
import { systemCx } from '../../context/cx.ts'
import { raiseRolesEpoch } from '../../authz/held-roles.ts'
import { dayMs } from '../../db/retention.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'
import { testServices } from '../../testing/services.ts'
import { certificateFor } from '../../testing/certificates.ts'
import { keepEpisodes } from '../system/episodes.ts'
import { aboutNothing, raise, type Raised } from './raise.ts'
import { considerChanges, notificationUpkeep } from './watch.ts'

const GiB = 2 ** 30
const at = 'project=atlas'
const url = '/ext/v1/me/notifications'

let bed: TestBed
let member: Caller
let operator: Caller
let project: string
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  operator = await bed.signIn('admin')
  project = await made(member, '/v1/projects', { name: 'atlas', description: '' })
  await eventually(
    () => bed.db.selectFrom('counter').select('value').where('name', '=', 'notifications').execute(),
    (rows) => rows.length > 0,
  )
})
afterAll(() => bed.stop())

const notify = (raised: readonly Raised[]) =>
  change(systemCx(testServices({ db: bed.db }), 'test'), fleetScope, (tx) => raise(tx, raised))
const unread = async (by: Caller): Promise<Notification[]> => (await by.get(url)).body.items
const told = (by: Caller, kind: string, about?: string) =>
  eventually(
    async () => {
      bed.pass(1000)
      return (await unread(by)).filter(
        (one) => one.kind === kind && (about === undefined || one.object?.id === about),
      )
    },
    (found) => found.length > 0,
    20_000,
  )
const machine = (name: string, more: object = {}) =>
  made(member, `/v1/instances?${at}`, {
    name,
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: name,
    start: false,
    ...more,
  })

test('a task that failed is told of until it is read, to the user who began it', async () => {
  await machine('giant', { memory: 1536 * GiB })
  await member.post(`/ext/v1/instance-actions?${at}`, { action: 'start', instances: ['giant'] })
  const [one] = await told(member, 'task_failed')
  expect(one).toMatchObject({
    title: 'Could not start instance giant',
    message: expect.stringContaining('Could not find any valid sled'),
    project: { id: project, name: 'atlas' },
    task_id: expect.any(String),
  })
  expect((await member.get(`/ext/v1/tasks/${one?.task_id}`)).body.state).toBe('failed')
  expect((await unread(operator)).filter(({ kind }) => kind === 'task_failed')).toEqual([])
  // Only its owner reads it.
  await operator.post(`${url}/read`, { ids: [one?.id] })
  expect((await unread(member)).map(({ id }) => id)).toContain(one?.id)
  expect((await member.post(`${url}/read`, { ids: [one?.id] })).status).toBe(204)
  expect((await unread(member)).map(({ id }) => id)).not.toContain(one?.id)
})

test('a deletion that stopped is told of', async () => {
  const id = await made(member, '/v1/projects', { name: 'growing', description: '' })
  const running = await made(member, '/v1/instances?project=growing', {
    name: 'slow',
    description: '',
    ncpus: 1,
    memory: GiB,
    hostname: 'slow',
  })
  await eventually(
    async () => {
      bed.pass(500)
      return (await member.get(`/v1/instances/${running}`)).body
    },
    (instance) => instance.run_state === 'running',
  )
  const { hash } = (await member.get(`/ext/v1/deletion-plans/${id}?kind=project`)).body
  const begun = await member.post('/ext/v1/deletions', { kind: 'project', object_id: id, hash })
  expect(begun.status).toBe(202)
  // While the instance stops.
  await made(member, '/v1/floating-ips?project=growing', { name: 'late', description: '' })
  const [one] = await told(member, 'task_failed', id)
  expect(one).toMatchObject({ title: 'Could not delete project growing', task_id: expect.any(String) })
})

test('a role that someone gave is told of, and not one that a user gave themselves', async () => {
  const guest = await bed.addUser('guest')
  const { body: policy } = await member.get('/v1/projects/atlas/policy')
  const given = { identity_type: 'silo_user', identity_id: guest.id, role_name: 'viewer' }
  const put = await member.call('PUT', '/v1/projects/atlas/policy', {
    role_assignments: [...policy.role_assignments, given],
  })
  expect(put.status, JSON.stringify(put.body)).toBe(200)
  const [one] = await told(guest, 'role')
  expect(one).toMatchObject({
    title: 'You have the role viewer on project atlas',
    message: 'member gave it to you.',
    object: { kind: 'project', id: project },
  })
  expect((await unread(member)).filter(({ kind }) => kind === 'role')).toEqual([])
  // What a user may not see any more is not told of either.
  await bed.db.deleteFrom('role_assignment').where('identity_id', '=', guest.id).execute()
  await raiseRolesEpoch(bed.db)
  expect(await unread(guest)).toEqual([])
})

test('an instance that failed is told of to the user who created it', async () => {
  const id = await machine('web', { start: true })
  await eventually(
    async () => {
      bed.pass(500)
      return (await member.get(`/v1/instances/${id}`)).body
    },
    (instance) => instance.run_state === 'running',
  )
  const fault = await operator.post('/ext/v1/faults', { kind: 'vm_crash', instance_id: id })
  expect(fault.status, JSON.stringify(fault.body)).toBeLessThan(300)
  const [one] = await told(member, 'instance_failed')
  expect(one).toMatchObject({ title: 'Instance web failed', object: { kind: 'instance', id, name: 'web' } })
})

test('an instance that the platform restarted is told of to the user who created it', async () => {
  const id = await machine('phoenix', { start: true, auto_restart_policy: 'best_effort' })
  const state = async () => (await member.get(`/v1/instances/${id}`)).body
  const becomes = (wanted: string) =>
    eventually(
      async () => {
        bed.pass(500)
        return state()
      },
      ({ run_state }) => run_state === wanted,
      20_000,
    )
  await becomes('running')
  await operator.post('/ext/v1/faults', { kind: 'vm_crash', instance_id: id })
  // The platform restarts it, at the latest with its next look.
  expect(await told(member, 'instance_restarted', id)).toMatchObject([
    {
      title: 'Instance phoenix was restarted',
      message: 'It had failed, and its auto-restart policy is to start it again.',
      object: { kind: 'instance', id, name: 'phoenix' },
      project: { id: project, name: 'atlas' },
    },
  ])
  expect((await unread(operator)).filter(({ kind }) => kind === 'instance_restarted')).toEqual([])
})

test('a task that took longer than a minute is told of, and a short one is not', async () => {
  const begin = async (name: string, takes: number) => {
    await machine(name)
    expect((await member.post(`/v1/instances/${name}/start?${at}`)).status).toBe(202)
    bed.pass(takes)
    await eventually(
      async () => {
        bed.pass(100)
        return (await member.get(`/v1/instances/${name}?${at}`)).body
      },
      ({ run_state }) => run_state === 'running',
      20_000,
    )
  }
  await begin('quick', 100)
  await begin('slow', 61_000)
  const finished = await told(member, 'task_finished')
  expect(finished).toMatchObject([{ title: 'Started instance slow', task_id: expect.any(String) }])
})

test('the quota of a silo from 90% is told of to its admins', async () => {
  const services = testServices({ db: bed.db })
  const { body: before } = await operator.get('/v1/system/silos/demo/quotas')
  const { body: use } = await operator.get('/v1/system/utilization/silos/demo')
  await made(member, `/v1/disks?${at}`, {
    name: 'large',
    description: '',
    size: GiB,
    disk_source: { type: 'blank', block_size: 512 },
  })
  const used = use.provisioned.storage + GiB
  await operator.call('PUT', '/v1/system/silos/demo/quotas', { storage: used })
  await keepEpisodes(services)
  await notificationUpkeep.run(services)
  await notificationUpkeep.run(services)
  const quota = async (by: Caller) => (await unread(by)).filter(({ kind }) => kind === 'quota')
  expect(await quota(operator)).toMatchObject([
    {
      title: 'A quota is nearly used up',
      message: expect.stringMatching(/^Silo demo uses 100% of its storage quota/),
      next_step: 'Free unused resources, or ask the operator for more.',
      silo: { name: 'demo' },
    },
  ])
  expect(await quota(member)).toEqual([])
  await operator.call('PUT', '/v1/system/silos/demo/quotas', { storage: before.storage })
  await keepEpisodes(services)
})

test('a certificate that expires soon is told of to the admins of its silo', async () => {
  const services = testServices({ db: bed.db })
  const notAfter = new Date(Date.now() + 20 * dayMs).toISOString()
  await made(operator, '/v1/certificates', {
    name: 'soon',
    description: '',
    ...certificateFor('demo.sys.test', { notAfter }),
  })
  await keepEpisodes(services)
  await notificationUpkeep.run(services)
  const certificates = async (by: Caller) => (await unread(by)).filter(({ kind }) => kind === 'certificate')
  expect(await certificates(operator)).toMatchObject([
    {
      title: 'A certificate expires soon',
      message: `Certificate soon of silo demo expires on ${notAfter.slice(0, 10)}.`,
      next_step: 'Add a renewed certificate to the silo, then delete this one.',
    },
  ])
  expect(await certificates(member)).toEqual([])
})

test('a muted kind is not told of', async () => {
  const choices = '/ext/v1/me/notification-choices'
  expect((await member.call('PUT', choices, { muted: ['quota', 'quota'] })).body).toEqual({
    muted: ['quota'],
  })
  const { id } = (await member.get('/v1/me')).body
  const one = { ...aboutNothing, silo_user_id: id, time: new Date(), message: null, next_step: null }
  await notify([
    { ...one, key: 'a', kind: 'quota', title: 'muted' },
    { ...one, key: 'b', kind: 'token', title: 'wanted' },
  ])
  const titles = (await unread(member)).map(({ title }) => title)
  expect(titles).toContain('wanted')
  expect(titles).not.toContain('muted')
  await member.call('PUT', choices, { muted: [] })
  expect((await member.get(choices)).body).toEqual({ muted: [] })
})

test('a user has a limited number of them, each of them once, and for a limited time', async () => {
  const crowd = await bed.addUser('crowd')
  const many = Array.from({ length: notificationLimits.perUser + 20 }, (_, n) => ({
    ...aboutNothing,
    silo_user_id: crowd.id,
    key: `n${n}`,
    kind: 'token' as const,
    time: new Date(Date.now() + n),
    title: `${n}`,
    message: null,
    next_step: null,
  }))
  await notify(many)
  await notify(many.slice(-5))
  const { items } = (await crowd.get(`${url}?limit=1000`)).body
  expect(items).toHaveLength(notificationLimits.perUser)
  expect(items[0].title).toBe(`${many.length - 1}`)
  const later = new Date(Date.now() + (notificationLimits.keptDays + 1) * dayMs)
  await notificationUpkeep.run(testServices({ db: bed.db, clock: () => later }))
  expect(await unread(crowd)).toEqual([])
})

test('a token that lived for long is told of before it expires', async () => {
  const owner = await bed.addUser('owner')
  const now = Date.now()
  const token = (days: number, left: number) => ({
    id: crypto.randomUUID(),
    device_code_hash: crypto.randomUUID(),
    token_hash: crypto.randomUUID(),
    client_id: crypto.randomUUID(),
    silo_user_id: owner.id,
    time_fetched: new Date(now),
    time_created: new Date(now - (days - left) * dayMs),
    time_expires: new Date(now + left * dayMs),
  })
  await bed.db
    .insertInto('device_access_token')
    .values([token(30, 2), token(1, 0.5), token(30, 20)])
    .execute()
  await notificationUpkeep.run(testServices({ db: bed.db }))
  await notificationUpkeep.run(testServices({ db: bed.db }))
  expect((await unread(owner)).map(({ kind }) => kind)).toEqual(['token'])
})

test('two processes consider a change once', async () => {
  const services = testServices({ db: bed.db })
  await Promise.all([considerChanges(services), considerChanges(services)])
  const twice = await bed.db
    .selectFrom('notification')
    .select(({ fn }) => ['silo_user_id', 'key', fn.countAll<number>().as('count')])
    .groupBy(['silo_user_id', 'key'])
    .having(({ fn }) => fn.countAll(), '>', 1)
    .execute()
  expect(twice).toEqual([])
})
