import type { OutputOf } from '@gantry/api/client/client'
import { answeredId, isPrivateRequest } from '@gantry/api/history/sent-request.rules'
import type { Operation } from '@gantry/api/op'
import { type OpName, ops } from '@gantry/api/registry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'
import { createdBy } from './sent-requests.ts'

let bed: TestBed
let member: Caller
let admin: Caller
let guest: Caller & { id: string }
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  admin = await bed.signIn('admin')
  guest = await bed.addUser('guest')
  await made(member, '/v1/projects', { name: 'atlas', description: '' })
})
afterAll(() => bed.stop())

const entriesOf = async (who: Caller, query = ''): Promise<{ id: string; operation: string }[]> =>
  (await who.get(`/ext/v1/activity?mine=true&outcome=changed${query}`)).body.items

/** The requests behind the newest entries of a user, as another one or the same is told of them. */
async function sent(who: Caller, count: number, asker = who) {
  const entries = (await entriesOf(who)).slice(0, count)
  const asked = entries.map(({ id }) => `entry=${id}`).join('&')
  const { status, body } = await asker.get(`/ext/v1/me/requests?${asked}`)
  expect(status).toBe(200)
  return (body.items as (OutputOf<'currentUserRequestList'>['items'][number] & { input: string })[]).map(
    (item) => ({ ...item, input: JSON.parse(item.input) as { body: object } }),
  )
}

const blank = { type: 'blank', block_size: 512 }
const disk = (name: string, description = '') =>
  member.post('/v1/disks?project=atlas', { name, description, size: 2 ** 30, disk_source: blank })

test('a request is kept in the shapes of the newest version, with what it created', async () => {
  const { body } = await disk('data')
  expect(await sent(member, 1)).toEqual([
    {
      entry_id: (await entriesOf(member))[0]?.id,
      request_id: expect.any(String),
      operation: 'diskCreate',
      method: 'POST',
      path: '/v1/disks',
      input: {
        path: {},
        query: { project: 'atlas' },
        body: expect.objectContaining({
          name: 'data',
          disk_backend: { type: 'distributed', disk_source: blank },
        }),
      },
      tags: [],
      answered: { id: body.id, name: 'data' },
    },
  ])
  await member.call('DELETE', '/v1/disks/data?project=atlas')
  expect(await sent(member, 1)).toMatchObject([
    { operation: 'diskDelete', input: { path: { disk: 'data' }, body: null }, answered: null },
  ])
})

test('nobody else is told of it, whatever their role', async () => {
  await disk('mine')
  expect(await sent(member, 1)).toHaveLength(1)
  expect(await sent(member, 1, admin)).toEqual([])
  expect(await sent(member, 1, guest)).toEqual([])
})

test('what the caller may not see any more, they are told nothing of', async () => {
  const policy = (role_assignments: object[]) =>
    member.call('PUT', '/v1/projects/atlas/policy', { role_assignments })
  await policy([{ identity_type: 'silo_user', identity_id: guest.id, role_name: 'collaborator' }])
  await made(guest, '/v1/vpcs?project=atlas', { name: 'side', description: '', dns_name: 'side' })
  const [entry] = await entriesOf(guest)
  const ask = async () => (await guest.get(`/ext/v1/me/requests?entry=${entry?.id}`)).body.items
  expect(await ask()).toMatchObject([{ operation: 'vpcCreate' }])
  await policy([])
  expect(await ask()).toEqual([])
})

test('secrets are not kept, and neither is what is too large, was refused, or concerns a sign-in', async () => {
  const secret = 'granite-lamp-quarry'
  await made(admin, '/v1/system/identity-providers/local/users?silo=demo', {
    external_id: 'anna',
    password: { mode: 'password', value: secret },
  })
  expect(await sent(admin, 1)).toMatchObject([
    { input: { body: { external_id: 'anna', password: { mode: 'password', value: 'secret' } } } },
  ])
  await made(member, '/ext/v1/me/access-tokens', { name: 'night', ttl_seconds: 3600, powers: ['read'] })
  expect((await disk('mine')).status).toBe(400)
  const user_data = btoa('x'.repeat(20_000))
  await made(member, '/v1/instances?project=atlas', {
    name: 'large',
    description: '',
    hostname: 'large',
    ncpus: 1,
    memory: 2 ** 30,
    start: false,
    user_data,
  })
  expect(await sent(member, 1)).toEqual([])
  const kept = await bed.db.selectFrom('audit').select(['operation_id', 'request']).execute()
  expect(JSON.stringify(kept)).not.toContain(secret)
  expect(kept.filter(({ operation_id }) => operation_id === 'access_token_create')).toEqual([
    { operation_id: 'access_token_create', request: null },
  ])
})

test('a saved plan that was committed is the request that it held', async () => {
  const { body: plan } = await member.post('/ext/v1/saved-plans', {
    method: 'PUT',
    path: '/v1/projects/atlas',
    body: JSON.stringify({ description: 'planned' }),
  })
  const { hash } = (await member.post(`/ext/v1/saved-plans/${plan.id}/check`)).body.current
  await member.post(`/ext/v1/saved-plans/${plan.id}/commit`, { hash })
  const items = await sent(member, 3)
  expect(items[0]).toMatchObject({
    operation: 'projectUpdate',
    input: { path: { project: 'atlas' }, body: { description: 'planned' } },
  })
})

test('what a request created is known where its name does not say it', async () => {
  await made(admin, '/v1/system/identity-providers/local/users?silo=demo', {
    external_id: 'bert',
    password: { mode: 'login_disallowed' },
  })
  const { body: account } = await member.post('/ext/v1/service-accounts?project=atlas', {
    name: 'deployer',
    description: '',
    role_name: 'viewer',
  })
  expect(account).toMatchObject({ name: 'deployer' })
  const tokens = '/ext/v1/service-accounts/deployer/access-tokens'
  const { body: token } = await member.post(`${tokens}?project=atlas`, {
    name: 'night',
    ttl_seconds: 3600,
    powers: ['read'],
  })
  expect(token.id).toBe(token.details.id)
  expect(await sent(admin, 1)).toMatchObject([
    { operation: 'localIdpUserCreate', answered: { id: expect.any(String), name: 'bert' } },
  ])
  const { body: invited } = await admin.post('/ext/v1/system/silos/demo/people', { external_id: 'carla' })
  expect(await sent(admin, 1)).toMatchObject([
    { operation: 'siloUserInvite', answered: { id: invited.user.id, name: 'carla' } },
  ])
  expect(await sent(member, 1)).toMatchObject([
    { operation: 'serviceAccountTokenCreate', answered: { id: token.id } },
  ])
})

test('every creation that answers with an id is known, or has a reason', () => {
  const unknown = Object.keys(ops).filter((name) => {
    const { method, status, returns, changes, path, until }: Operation = ops[name as OpName]
    const isKept = changes.length > 0 && !isPrivateRequest(path) && until === undefined
    if (method !== 'POST' || status !== 201 || !isKept || !(returns instanceof z.ZodObject)) return false
    const field = answeredId(name).split('.')[0] ?? ''
    return field in returns.shape && createdBy(name as OpName) === undefined
  })
  expect(unknown.toSorted()).toEqual([
    // Parts of a receiver, whose record is the only one.
    'alertActivityPlaceAdd',
    // It answers with its task.
    'imageImportCreate',
    // What they add is removed by its addresses.
    'ipPoolRangeAdd',
    // The token that it ends has a record of the same kind.
    'serviceAccountTokenRotate',
    'subnetPoolMemberAdd',
    // Part of a receiver, too.
    'webhookSecretsAdd',
  ])
})

test('what only former versions have is not repeated', async () => {
  const rack = await bed.db.selectFrom('rack').select('id').executeTakeFirstOrThrow()
  const waiting = { part: 'gantry-sled', serial: 'GS-099', revision: 2, rack_id: rack.id, cubby: 30 }
  const size = { usable_hardware_threads: 64, usable_physical_ram: 2 ** 39 }
  await bed.db
    .insertInto('uninitialized_sled')
    .values({ ...waiting, ...size })
    .execute()
  const body = { serial: 'GS-099', part: 'gantry-sled' }
  const { status } = await admin.post('/v1/system/hardware/sleds', body)
  expect(status).toBe(201)
  expect((await entriesOf(admin))[0]).toMatchObject({ operation: 'sled_add' })
  expect(await sent(admin, 1)).toEqual([])
})

test('what a task did is the request that began it', async () => {
  await made(member, '/ext/v1/instance-batches?project=atlas', {
    name_pattern: 'web-{n}',
    count: 2,
    instance: { description: '', ncpus: 1, memory: 2 ** 30, start: false },
  })
  await expect
    .poll(async () => (await sent(member, 2)).map(({ operation }) => operation))
    .toEqual(['instanceBatchCreate', 'instanceBatchCreate'])
  const items = await sent(member, 2)
  expect(items).toMatchObject(
    [1, 2].map(() => ({ operation: 'instanceBatchCreate', input: { body: { count: 2 } }, answered: null })),
  )
  expect(
    new Set((items as unknown as { request_id: string }[]).map(({ request_id }) => request_id)).size,
  ).toBe(1)
})

test('entries that are no entries are refused or skipped', async () => {
  expect((await member.get('/ext/v1/me/requests')).status).toBe(400)
  expect((await member.get('/ext/v1/me/requests?entry=none')).status).toBe(400)
  const many = Array.from({ length: 101 }, () => `entry=${crypto.randomUUID()}`).join('&')
  expect((await member.get(`/ext/v1/me/requests?${many}`)).status).toBe(400)
  expect((await member.get(`/ext/v1/me/requests?entry=${crypto.randomUUID()}`)).body).toEqual({ items: [] })
})

test('a token reads none of them: user data is in them, which no token reads elsewhere', async () => {
  const { body } = await member.post('/ext/v1/me/access-tokens', {
    name: 'script',
    ttl_seconds: 3600,
    powers: ['read'],
  })
  const [entry] = await entriesOf(member)
  const asked = await bed.anonymous.call('GET', `/ext/v1/me/requests?entry=${entry?.id}`, undefined, {
    authorization: `Bearer ${body.token}`,
  })
  expect([asked.status, asked.body.help]).toEqual([
    403,
    'Sign in to the console with a browser and do it there.',
  ])
})
