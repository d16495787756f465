import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { machine } from '../../testing/case-values.ts'
import {
  type Answer,
  type Caller,
  said,
  testControlPlane,
  type TestBed,
} from '../../testing/control-plane.ts'

const at = '/ext/v1/service-accounts'
let bed: TestBed
let admin: Caller
let member: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  admin = await bed.signIn('admin')
  member = await bed.signIn('member')
  for (const name of ['web', 'other']) await member.post('/v1/projects', { name, description: '' })
})
afterAll(() => bed.stop())

let count = 0
let name: string
beforeEach(() => {
  name = `robot-${++count}`
})

const create = (query: string, more: object = {}, by = member): Promise<Answer> =>
  by.post(`${at}${query}`, { name, description: '', ...more })
const tokenOf = (account: string, more: object = {}, by = member): Promise<Answer> =>
  by.post(`${at}/${account}/access-tokens`, {
    name: 'nightly',
    ttl_seconds: 7200,
    powers: ['read', 'change', 'operate', 'delete', 'administer'],
    ...more,
  })
const bearer = (token: string) => {
  const send = (method: string, path: string, body?: unknown) =>
    bed.anonymous.call(method, path, body, { authorization: `Bearer ${token}` })
  return {
    get: (path: string) => send('GET', path),
    post: (path: string, body: unknown) => send('POST', path, body),
  }
}
async function accountIn(query: string, role_name?: string, by = member) {
  const made = await create(query, { role_name }, by)
  expect(said(made)).toBe('201')
  const token = await tokenOf(made.body.id, {}, by)
  expect(said(token)).toBe('201')
  return { id: made.body.id as string, token: token.body.details.id as string, ...bearer(token.body.token) }
}

test('an account of a project acts there with its role, and activity names it and its token', async () => {
  const robot = await accountIn('?project=web', 'collaborator')
  expect((await robot.get('/v1/me')).body).toMatchObject({
    id: robot.id,
    display_name: `${name}@${robot.id.slice(0, 8)}`,
  })
  expect(said(await robot.post('/v1/instances?project=web', machine('by-robot')))).toBe('201')
  expect(said(await robot.post('/v1/instances?project=other', machine('by-robot')))).toBe(
    '404 not found: project with name "other"',
  )
  const { items } = (await member.get('/ext/v1/activity?project=web&kind=instance')).body
  expect(items[0].actor).toMatchObject({
    kind: 'user',
    name,
    token: { id: robot.token, name: 'nightly' },
  })
  expect((await member.get(`${at}/${robot.id}`)).body).toMatchObject({
    role_name: 'collaborator',
    token_count: 1,
  })
  const viewer = await bed.signIn('viewer')
  expect(said(await viewer.get(`${at}/${robot.id}/access-tokens`))).toContain('403')
})

test('it can have no role elsewhere, whatever policies say', async () => {
  const robot = await accountIn('?project=web')
  const assigned = { identity_id: robot.id, identity_type: 'silo_user', role_name: 'admin' }
  const refused = `400 the service account "${name}@${robot.id.slice(0, 8)}" can have roles in its own project only`
  for (const path of ['/v1/projects/other/policy', '/v1/policy'])
    expect(said(await admin.call('PUT', path, { role_assignments: [assigned] }))).toBe(refused)
  // As by a process that knows nothing of service accounts.
  const { id: silo } = (await admin.get('/v1/system/silos/demo')).body
  await bed.db
    .insertInto('role_assignment')
    .values({
      ...assigned,
      identity_type: 'silo_user',
      role_name: 'admin',
      resource_type: 'silo',
      resource_id: silo,
    })
    .execute()
  expect(said(await robot.get('/v1/projects/other'))).toContain('404')
  expect(said(await robot.get('/v1/policy'))).toBe('200')
  expect(said(await robot.post('/v1/projects', { name: 'by-robot', description: '' }))).toContain('403')
  await bed.db.deleteFrom('role_assignment').where('identity_id', '=', robot.id).execute()
})

test('nobody signs in as one, and it makes no tokens', async () => {
  const robot = await accountIn('?project=web', 'admin')
  const ofSilo = await create('', { name: `${name}-of-silo` }, admin)
  const credentials = { username: ofSilo.body.name, password: 'x' }
  expect(said(await bed.anonymous.post('/v1/login/demo/local', credentials))).toContain('401')
  const inDemo = '/v1/system/identity-providers/local/users'
  const password = { mode: 'password', value: 'correct horse battery' }
  expect(said(await admin.post(`${inDemo}/${robot.id}/set-password?silo=demo`, password))).toBe(
    '400 this user is a service account',
  )
  expect(said(await robot.post(`${at}/${robot.id}/access-tokens`, tokenBody))).toContain('403')
  expect(said(await robot.post('/ext/v1/me/access-tokens', tokenBody))).toContain('403')
})
const tokenBody = { name: 'more', ttl_seconds: 3600, powers: ['read'] }

test('a token is replaced by one like it, and serves for as long as asked', async () => {
  const robot = await accountIn('?project=web', 'viewer')
  const rotate = (overlap_seconds: number, token = robot.token) =>
    member.post(`${at}/${robot.id}/access-tokens/${token}/rotate`, { overlap_seconds })
  const next = await rotate(600)
  expect(next.body.details).toMatchObject({
    name: 'nightly',
    scope: { powers: expect.arrayContaining(['read']) },
  })
  const tokens = (await member.get(`${at}/${robot.id}/access-tokens`)).body.items
  const lifetime = (one: { time_created: string; time_expires: string }) =>
    Date.parse(one.time_expires) - Date.parse(one.time_created)
  expect(tokens.map(lifetime).toSorted((a: number, b: number) => a - b)[1]).toBe(7_200_000)
  expect(said(await robot.get('/v1/me'))).toBe('200')
  bed.pass(601_000)
  expect(said(await robot.get('/v1/me'))).toContain('401')
  const after = bearer(next.body.token)
  expect(said(await after.get('/v1/me'))).toBe('200')
  // Both of two at once see the first one replaced.
  const both = await Promise.all([rotate(0, next.body.details.id), rotate(0, next.body.details.id)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404])
  expect(said(await after.get('/v1/me'))).toContain('401')
  expect((await member.get(`${at}/${robot.id}/access-tokens`)).body.items).toHaveLength(1)
})

test('tokens of others are out of reach', async () => {
  const one = await accountIn('?project=web')
  name = `robot-${++count}`
  const second = await accountIn('?project=other')
  const path = `${at}/${one.id}/access-tokens/${second.token}`
  expect(said(await member.call('DELETE', path))).toContain('404')
  expect(said(await member.post(`${path}/rotate`, { overlap_seconds: 0 }))).toContain('404')
  expect(said(await second.get('/v1/me'))).toBe('200')
  expect(said(await member.call('DELETE', `${at}/${second.id}/access-tokens/${second.token}`))).toBe('204')
  expect(said(await second.get('/v1/me'))).toContain('401')
})

test('its user is called after it, which says nothing of a project that others do not see', async () => {
  await member.post('/v1/projects', { name: 'secret', description: '' })
  const robot = await accountIn('?project=secret')
  expect(said(await create('?project=secret'))).toBe(`400 already exists: service-account "${name}"`)
  expect(said(await create('?project=web'))).toBe('201')
  const calledNow = async () => (await robot.get('/v1/me')).body.display_name
  const part = robot.id.slice(0, 8)
  expect(await calledNow()).toBe(`${name}@${part}`)
  expect(said(await member.call('PUT', `${at}/${name}?project=secret`, { name: 'deployer' }))).toBe('200')
  expect(await calledNow()).toBe(`deployer@${part}`)
  const stranger = await bed.addUser('stranger')
  expect(JSON.stringify((await stranger.get('/v1/users')).body)).not.toContain('secret')
  expect(said(await stranger.get(`${at}/${robot.id}`))).toContain('404')
  expect(said(await create('', { name: 'viewer' }, admin))).toBe('400 already exists: silo-user "viewer"')
})

test('only admins of the silo make accounts of the silo, whose roles are the policy’s', async () => {
  expect(said(await create('', {}, await bed.signIn('viewer')))).toContain('403')
  const robot = await accountIn('', 'collaborator', admin)
  expect(said(await robot.post('/v1/projects', { name: `by-${name}`, description: '' }))).toBe('201')
  const { role_assignments } = (await admin.get('/v1/policy')).body
  expect(role_assignments).toContainEqual({
    identity_id: robot.id,
    identity_type: 'silo_user',
    role_name: 'collaborator',
  })
  expect(said(await tokenOf(robot.id, {}, await bed.signIn('viewer')))).toContain('403')
})

test('its deletion, and that of its project, ends its tokens', async () => {
  const robot = await accountIn('?project=web', 'viewer')
  expect(said(await member.call('DELETE', `${at}/${robot.id}`))).toBe('204')
  expect(said(await robot.get('/v1/me'))).toContain('401')
  await member.post('/v1/projects', { name: 'short', description: '' })
  name = `robot-${++count}`
  const other = await accountIn('?project=short', 'viewer')
  await member.call('DELETE', '/v1/vpc-subnets/default?vpc=default&project=short')
  await member.call('DELETE', '/v1/vpcs/default?project=short')
  expect(said(await member.call('DELETE', '/v1/projects/short'))).toBe('204')
  expect(said(await other.get('/v1/me'))).toContain('401')
  expect(said(await member.get(`/v1/users/${other.id}`))).toContain('404')
  expect(said(await member.get(`${at}/${other.id}`))).toContain('404')
})

test('of 16 at once, each has its role, and a role that is taken meanwhile stays taken', async () => {
  await member.post('/v1/projects', { name: 'busy', description: '' })
  const leaver = { identity_id: crypto.randomUUID(), identity_type: 'silo_user', role_name: 'viewer' }
  const policy = '/v1/projects/busy/policy'
  await member.call('PUT', policy, { role_assignments: [leaver] })
  const [taken, ...made] = await Promise.all([
    member.call('PUT', policy, { role_assignments: [] }),
    ...Array.from({ length: 16 }, (_, at) =>
      create('?project=busy', { name: `busy-${at}`, role_name: 'viewer' }),
    ),
  ])
  expect([taken, ...made].map(({ status }) => status)).toEqual([200, ...made.map(() => 201)])
  const { items } = (await member.get(`${at}?project=busy`)).body
  const { role_assignments } = (await member.get(policy)).body
  expect(role_assignments).not.toContainEqual(leaver)
  expect(items).toHaveLength(16)
  // Those before the list was replaced lost theirs with it; no later one did.
  const holders = items.filter(({ role_name }: { role_name: string | null }) => role_name === 'viewer')
  expect(role_assignments).toHaveLength(holders.length)
})

test('16 at once make one account of a name', async () => {
  const answers = await Promise.all(Array.from({ length: 16 }, () => create('?project=web')))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter((answer) => said(answer).startsWith('400 already exists'))).toHaveLength(15)
  const id = answers.find(({ status }) => status === 201)?.body.id
  const tokens = await Promise.all(Array.from({ length: 16 }, () => tokenOf(id)))
  const made = tokens.filter(({ status }) => status === 201).length
  expect((await member.get(`${at}/${id}/access-tokens`)).body.items).toHaveLength(made)
})
