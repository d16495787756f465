import { newestVersionText } from '@gantry/api/versions/newest.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fleetId } from '../../authz/actor.ts'
import { defaultSettings } from '../../settings.ts'
import { type Caller, eventually, type TestBed } from '../../testing/control-plane.ts'
import { deviceOf } from '../sign-in/sign-in.fixtures.ts'
import { urn } from './attributes.ts'
import {
  samlSignIn,
  scimCaller,
  type ScimCaller,
  scimControlPlane,
  scimSilo,
  signedIn,
} from './scim.fixtures.ts'

let bed: TestBed
let operator: Caller
let client: ScimCaller
let silo: { id: string }
let token: { id: string; bearer_token: string; time_created: string }
const tokens = '/v1/system/scim/tokens'

beforeAll(async () => {
  bed = await scimControlPlane()
  operator = await bed.signIn('admin')
  ;({ client, silo, token } = await scimSilo(bed, operator, 'acme', 'Admins'))
})
afterAll(() => bed.stop())

const addUser = async (userName: string, by = client): Promise<string> =>
  (await by.call('POST', '/Users', { schemas: [urn.user], userName })).body.id
const addGroup = async (displayName: string, ...members: string[]): Promise<string> => {
  const list = members.map((value) => ({ value }))
  return (await client.call('POST', '/Groups', { schemas: [urn.group], displayName, members: list })).body.id
}
const membersOf = async (group: string): Promise<string[]> =>
  ((await client.get(`/Groups/${group}`)).body.members ?? []).map(({ value }: { value: string }) => value)
/** A refusal: its status and type, and that it says something. */
const refusal = ({ status, body }: Awaited<ReturnType<ScimCaller['get']>>) => {
  expect(body).toMatchObject({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    detail: expect.stringMatching(/\.$/),
  })
  return [status, body.scimType]
}
/** As a client of the newest version reads it. */
const newest = (path: string) => operator.call('GET', path, undefined, { 'api-version': newestVersionText })
const roleAt = async (who: Caller, url: string) => (await who.get(url)).status

test('a token is shown once, kept as a hash, and ends with its deletion', async () => {
  expect(token.bearer_token).toMatch(/^oxide-scim-[0-9a-f]{40}$/)
  const one = { id: token.id, time_created: token.time_created, time_expires: null }
  expect((await operator.get(`${tokens}?silo=acme`)).body).toEqual([one])
  expect((await operator.get(`${tokens}/${token.id}?silo=acme`)).body).toEqual(one)
  const secret = token.bearer_token.slice('oxide-scim-'.length)
  for (const table of ['scim_token', 'scim_token_secret', 'change', 'audit'] as const)
    expect(JSON.stringify(await bed.db.selectFrom(table).selectAll().execute())).not.toContain(secret)

  const second = (await operator.post(`${tokens}?silo=acme`)).body
  const other = scimCaller(bed, second.bearer_token)
  expect((await other.get('/Users')).status).toBe(200)
  expect((await operator.call('DELETE', `${tokens}/${second.id}?silo=acme`)).status).toBe(204)
  expect((await other.get('/Users')).status).toBe(401)
  expect((await operator.get(`${tokens}/${second.id}?silo=acme`)).status).toBe(404)
  expect((await operator.call('DELETE', `${tokens}/${second.id}?silo=acme`)).status).toBe(404)
})

test('a token belongs to its silo, and is found there by those who administer it', async () => {
  const far = await scimSilo(bed, operator, 'far')
  for (const method of ['GET', 'DELETE'])
    expect((await operator.call(method, `${tokens}/${far.token.id}?silo=acme`)).status).toBe(404)
  expect((await operator.get(`${tokens}/${far.token.id}?silo=far`)).status).toBe(200)
  await addUser('only-far', far.client)
  expect((await client.get('/Users?filter=userName eq "only-far"')).body.totalResults).toBe(0)
  const { id } = (await far.client.get('/Users')).body.Resources[0]
  expect((await client.get(`/Users/${id}`)).status).toBe(404)
  expect((await client.call('DELETE', `/Users/${id}`)).status).toBe(404)

  await addUser('boss')
  await addGroup('ADMINS', (await client.get('/Users?filter=userName eq "boss"')).body.Resources[0].id)
  const boss = await signedIn(bed, 'acme', 'boss')
  expect((await boss.get(`${tokens}?silo=acme`)).status).toBe(200)
  expect((await boss.get(`${tokens}?silo=far`)).status).toBe(404)
  expect((await boss.get(`${tokens}/${far.token.id}?silo=acme`)).status).toBe(404)
  await addUser('plain')
  const plain = await signedIn(bed, 'acme', 'plain')
  expect((await plain.get(`${tokens}?silo=acme`)).status).toBe(403)
  expect((await plain.get(`${tokens}/${token.id}?silo=acme`)).status).toBe(404)
  const refused = await operator.post(`${tokens}?silo=demo`)
  expect([refused.status, refused.body.message]).toEqual([400, 'users of this silo are not managed by SCIM'])
})

test('deleting a silo deletes its tokens', async () => {
  const gone = await scimSilo(bed, operator, 'gone')
  expect((await operator.call('DELETE', '/v1/system/silos/gone')).status).toBe(204)
  expect((await gone.client.get('/Users')).status).toBe(401)
  const kept = await bed.db.selectFrom('scim_token_secret').select('scim_token_id').execute()
  expect(kept.map(({ scim_token_id }) => scim_token_id)).not.toContain(gone.token.id)
})

test('nothing but a SCIM token opens the provisioning API, and it opens nothing else', async () => {
  const plain = { authorization: '' }
  for (const headers of [
    plain,
    { authorization: `Bearer oxide-scim-${'0'.repeat(40)}` },
    { authorization: 'Bearer oxide-scim-short' },
    { authorization: `Basic ${token.bearer_token}` },
    { ...plain, cookie: operator.cookie },
  ]) {
    const { status, body } = await client.call('GET', '/Users', undefined, headers)
    expect([status, body.error_code, body.message]).toEqual([
      401,
      'Unauthorized',
      'credentials missing or invalid',
    ])
  }
  const device = await deviceOf(bed, operator)
  expect((await client.call('GET', '/Users', undefined, device.bearer)).status).toBe(401)
  const bearer = { authorization: `Bearer ${token.bearer_token}` }
  for (const path of ['/v1/me', '/v1/users', '/v1/system/silos', `${tokens}?silo=acme`])
    expect((await bed.anonymous.call('GET', path, undefined, bearer)).status).toBe(401)
})

test('an unknown user of an assertion is refused, and none is created', async () => {
  const refused = await samlSignIn(bed, 'acme', 'stranger')
  expect([refused.status, refused.body.message]).toEqual([401, 'there is no user "stranger" in this silo'])
  const id = await addUser('Known')
  await signedIn(bed, 'acme', 'known')
  const found = await bed.db
    .selectFrom('silo_group')
    .select('external_id')
    .where('silo_id', '=', silo.id)
    .execute()
  expect(found).not.toContainEqual({ external_id: 'group-of-the-assertion' })
  expect((await client.get(`/Users/${id}`)).body).not.toHaveProperty('groups')
})

test('a deactivated user loses sessions, tokens and open streams at once', async () => {
  const id = await addUser('eve')
  const eve = await signedIn(bed, 'acme', 'eve')
  const device = await deviceOf(bed, eve)
  const stream = await bed.follow(eve)
  expect(stream.ended()).toBe(false)
  expect((await client.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })).status).toBe(200)
  expect([await roleAt(eve, '/v1/me'), (await device.get('/v1/me')).status]).toEqual([401, 401])
  expect(await samlSignIn(bed, 'acme', 'eve')).toMatchObject({
    status: 401,
    body: { message: 'the user "eve" is not active' },
  })
  await eventually(
    async () => stream.ended(),
    (ended) => ended,
  )
  // A replacement that leaves it out activates no user.
  await client.call('PUT', `/Users/${id}`, { schemas: [urn.user], userName: 'eve' })
  expect((await client.get(`/Users/${id}`)).body.active).toBe(false)
})

test('a sign-in concurrent with a deactivation leaves no session', async () => {
  const id = await addUser('race')
  const results = await Promise.all([
    samlSignIn(bed, 'acme', 'race'),
    client.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' }),
    samlSignIn(bed, 'acme', 'race'),
  ])
  expect(results[1].status).toBe(200)
  const left = await bed.db
    .selectFrom('console_session')
    .select('id')
    .where('silo_user_id', '=', id)
    .execute()
  expect(left).toEqual([])
})

test('deleting a user removes sessions, tokens, memberships and roles, on every level', async () => {
  const id = await addUser('ned')
  const group = await addGroup('with-ned', id)
  const before = (await client.get(`/Groups/${group}`)).body.meta.version
  const ned = await signedIn(bed, 'acme', 'ned')
  const device = await deviceOf(bed, ned)
  const stream = await bed.follow(ned)
  const role = { identity_type: 'silo_user', identity_id: id, role_name: 'viewer' } as const
  await operator.call('PUT', '/v1/system/silos/acme/policy', {
    role_assignments: [...(await operator.get('/v1/system/silos/acme/policy')).body.role_assignments, role],
  })
  await operator.call('PUT', '/v1/system/policy', {
    role_assignments: [...(await operator.get('/v1/system/policy')).body.role_assignments, role],
  })
  const policies = await bed.db.selectFrom('policy').selectAll().where('resource_id', '=', fleetId).execute()
  expect((await client.call('DELETE', `/Users/${id}`)).status).toBe(204)
  expect([await roleAt(ned, '/v1/me'), (await device.get('/v1/me')).status]).toEqual([401, 401])
  expect(await membersOf(group)).toEqual([])
  expect((await client.get(`/Groups/${group}`)).body.meta.version).not.toBe(before)
  for (const path of ['/v1/system/silos/acme/policy', '/v1/system/policy'])
    expect(JSON.stringify((await operator.get(path)).body)).not.toContain(id)
  const after = await bed.db.selectFrom('policy').selectAll().where('resource_id', '=', fleetId).execute()
  expect(after[0]?.generation).toBe((policies[0]?.generation ?? 0) + 1)
  await eventually(
    async () => stream.ended(),
    (ended) => ended,
  )
  expect((await client.call('DELETE', `/Users/${id}`)).status).toBe(404)
})

test('the role of a group ends with its deletion, and its members stay', async () => {
  const id = await addUser('may')
  const group = await addGroup('viewers', id)
  const may = await signedIn(bed, 'acme', 'may')
  const list = async () => (await may.get('/v1/projects')).status
  const policy = '/v1/system/silos/acme/policy'
  const { role_assignments } = (await operator.get(policy)).body
  await operator.call('PUT', policy, {
    role_assignments: [
      ...role_assignments,
      { identity_type: 'silo_group', identity_id: group, role_name: 'admin' },
    ],
  })
  expect([await list(), (await may.get(`${tokens}?silo=acme`)).status]).toEqual([200, 200])
  expect((await client.call('DELETE', `/Groups/${group}`)).status).toBe(204)
  expect((await may.get(`${tokens}?silo=acme`)).status).toBe(403)
  expect(JSON.stringify((await operator.get(policy)).body)).not.toContain(group)
  expect((await client.get(`/Users/${id}`)).body).not.toHaveProperty('groups')
})

test('the group with the name of the admins has their role for as long as it has the name', async () => {
  const { client: own } = await scimSilo(bed, operator, 'admins-silo', 'Cloud Admins')
  expect((await operator.get('/v1/system/silos/admins-silo/policy')).body.role_assignments).toEqual([])
  const id = await addUser('ivy', own)
  const { body: group } = await own.call('POST', '/Groups', {
    schemas: [urn.group],
    displayName: 'staff',
    members: [{ value: id }],
  })
  const ivy = await signedIn(bed, 'admins-silo', 'ivy')
  const isAdmin = async () => (await ivy.get('/v1/me')).body.silo_admin
  const rename = (displayName: string) =>
    own.patch(`/Groups/${group.id}`, { op: 'replace', value: { id: group.id, displayName } })
  const steps = []
  for (const name of ['staff', 'CLOUD admins', 'Cloud Admins', 'others', 'cloud admins']) {
    await rename(name)
    steps.push(await isAdmin())
  }
  expect(steps).toEqual([false, true, true, false, true])
  await own.call('DELETE', `/Groups/${group.id}`)
  expect(await isAdmin()).toBe(false)
})

test('changes of one group at once lose nothing', async () => {
  const ids = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => addUser(`at-once-${name}`)))
  const group = await addGroup('at-once', ids[0] ?? '')
  const answers = await Promise.all([
    ...ids
      .slice(1)
      .map((value) => client.patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value }] })),
    client.patch(`/Groups/${group}`, { op: 'remove', path: `members[value eq "${ids[0]}"]` }),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(await membersOf(group)).toEqual(ids.slice(1).toSorted())
  // Two users of one name: one is created.
  const twins = await Promise.all(
    ['Twin', 'TWIN'].map((userName) => client.call('POST', '/Users', { userName })),
  )
  expect(new Set(twins.map(({ status }) => status))).toEqual(new Set([201, 409]))
  // A member that is deleted at once is none afterwards.
  const [user = ''] = ids.slice(1)
  await Promise.all([
    client.call('DELETE', `/Users/${user}`),
    client.patch(`/Groups/${group}`, { op: 'replace', path: 'members', value: [{ value: user }] }),
  ])
  expect(await membersOf(group)).not.toContain(user)
})

test('a stale change is refused, and what a client has is not sent again', async () => {
  const id = await addUser('tag')
  const at = `/Users/${id}`
  const { version } = (await client.get(at)).body.meta
  const isKnown = await client.call('GET', at, undefined, { 'if-none-match': version })
  expect([isKnown.status, isKnown.body]).toEqual([304, undefined])
  // The groups of a user are part of the answer, hence of its version.
  const group = await addGroup('tagged', id)
  expect((await client.call('GET', at, undefined, { 'if-none-match': version })).status).toBe(200)
  const put = { schemas: [urn.user], userName: 'tag-2' }
  for (const [method, body] of [
    ['PUT', put],
    ['PATCH', { schemas: [urn.patch], Operations: [{ op: 'replace', path: 'userName', value: 'tag-3' }] }],
    ['DELETE', undefined],
  ] as const)
    expect(refusal(await client.call(method, at, body, { 'if-match': version }))).toEqual([412, undefined])
  const current = (await client.get(at)).headers.get('etag') ?? ''
  expect((await client.call('PUT', at, put, { 'if-match': current })).body.userName).toBe('tag-2')
  const ofGroup = (await client.get(`/Groups/${group}`)).headers.get('etag') ?? ''
  await client.patch(`/Groups/${group}`, { op: 'remove', path: 'members' })
  const stale = { 'if-match': ofGroup }
  expect(refusal(await client.call('DELETE', `/Groups/${group}`, undefined, stale))).toEqual([412, undefined])
  expect((await client.call('DELETE', `/Groups/${group}`, undefined, { 'if-match': '*' })).status).toBe(204)
})

test('lists are filtered and paged', async () => {
  const { client: own } = await scimSilo(bed, operator, 'pages')
  const ids = []
  for (const [at, userName] of ['Uma', 'Vic', 'Wes', 'Xia', 'Yan'].entries())
    ids.push((await own.call('POST', '/Users', { userName, externalId: `x-${at}` })).body.id)
  const list = async (query: string) => (await own.get(`/Users?${query}`)).body
  const names = async (query: string) =>
    (await list(query)).Resources.map(({ userName }: { userName: string }) => userName)
  expect(await names('filter=USERNAME EQ "uma"')).toEqual(['Uma'])
  expect(await names(`filter=${urn.user}:userName eq "VIC"`)).toEqual(['Vic'])
  expect(await names('filter=externalId eq "x-2"')).toEqual(['Wes'])
  expect(await names(`filter=id eq "${ids[3]}"`)).toEqual(['Xia'])
  expect(await names('filter=id eq "nobody"')).toEqual([])
  expect(await names(`filter=userName eq "\\u0055ma"`)).toEqual(['Uma'])
  const seen = []
  for (let startIndex = 1; startIndex <= 5; startIndex += 2)
    seen.push(...(await names(`startIndex=${startIndex}&count=2`)))
  expect([seen.length, new Set(seen)]).toEqual([5, new Set(['Uma', 'Vic', 'Wes', 'Xia', 'Yan'])])
  expect(await list('startIndex=4&count=100')).toMatchObject({
    totalResults: 5,
    startIndex: 4,
    itemsPerPage: 2,
  })
  expect(await list('count=0')).toMatchObject({ totalResults: 5, itemsPerPage: 0, Resources: [] })
  expect(await list('startIndex=-3&count=-1')).toMatchObject({ startIndex: 1, itemsPerPage: 0 })
  expect(await list('startIndex=99')).toMatchObject({ totalResults: 5, Resources: [] })
  expect((await list('attributes=userName&count=1')).Resources).toEqual([
    { schemas: [urn.user], id: expect.any(String), userName: expect.any(String) },
  ])
  // Service accounts and what signs in otherwise are not the client's.
  const rows = await bed.db
    .selectFrom('silo')
    .select('id')
    .where('name', '=', 'pages')
    .executeTakeFirstOrThrow()
  const local = { id: crypto.randomUUID(), silo_id: rows.id, external_id: 'robot', is_service_account: true }
  await bed.db
    .insertInto('silo_user')
    .values({ ...local, time_created: new Date(), time_modified: new Date() })
    .execute()
  expect((await list('')).totalResults).toBe(5)
  expect((await own.get(`/Users/${local.id}`)).status).toBe(404)
  expect(refusal(await own.call('POST', '/Users', { userName: 'robot' }))).toEqual([409, 'uniqueness'])
})

test('bad requests are refused with what to do, and change nothing', async () => {
  const id = await addUser('bad')
  const group = await addGroup('bad-group', id)
  const before = await bed.db.selectFrom('change').select('id').execute()
  const users = (body: unknown) => client.call('POST', '/Users', body)
  const groups = (body: unknown) => client.call('POST', '/Groups', body)
  const patchUser = (...operations: object[]) => client.patch(`/Users/${id}`, ...operations)
  const patchGroup = (...operations: object[]) => client.patch(`/Groups/${group}`, ...operations)
  const long = 'x'.repeat(513)
  const nobody = crypto.randomUUID()
  const cases: [() => ReturnType<ScimCaller['get']>, number, string?][] = [
    [() => users({ userName: '' }), 400, 'invalidValue'],
    [() => users({ active: true }), 400, 'invalidValue'],
    [() => users({ userName: 7 }), 400, 'invalidValue'],
    [() => users({ userName: long }), 400, 'invalidValue'],
    [() => users({ userName: 'x', active: 'maybe' }), 400, 'invalidValue'],
    [() => users({ userName: 'x', externalId: {} }), 400, 'invalidValue'],
    [() => users([]), 400, 'invalidSyntax'],
    [() => users('{"userName": "x"'), 400],
    [() => users('{"userName": "\\u0000"}'), 400],
    [() => users(`{"userName": "${'x'.repeat(2 ** 20)}"}`), 400],
    [() => client.call('POST', '/Users', 'userName=x', { 'content-type': 'text/plain' }), 415],
    [() => groups({ displayName: 'BAD-group' }), 409, 'uniqueness'],
    [() => groups({ displayName: 'y', members: [{}] }), 400, 'invalidSyntax'],
    [() => groups({ displayName: 'y', members: [{ value: nobody }] }), 404],
    [() => groups({ displayName: 'y', members: [{ value: 'no-id' }] }), 404],
    [() => groups({ displayName: 'y', members: [{ value: group, type: 'Group' }] }), 400, 'invalidValue'],
    [() => groups({ displayName: 'y', members: [{ value: group }] }), 404],
    [() => client.call('PATCH', `/Users/${id}`, { Operations: [] }), 400, 'invalidSyntax'],
    [() => client.call('PATCH', `/Users/${id}`, { schemas: [urn.patch] }), 400, 'invalidSyntax'],
    [() => patchUser({ op: 'move', path: 'active', value: true }), 400, 'invalidSyntax'],
    [() => patchUser({ op: 'remove' }), 400, 'noTarget'],
    [() => patchUser({ op: 'remove', path: 'active' }), 400, 'invalidValue'],
    [() => patchUser({ op: 'remove', path: 'userName' }), 400, 'invalidValue'],
    [() => patchUser({ op: 'replace', path: 'not a path', value: 1 }), 400, 'invalidPath'],
    [() => patchUser({ op: 'replace', value: true }), 400, 'invalidSyntax'],
    [() => patchUser({ op: 'replace', path: 'active', value: 3 }), 400, 'invalidValue'],
    [() => patchGroup({ op: 'add', path: 'members' }), 400, 'invalidSyntax'],
    [() => patchGroup({ op: 'replace', path: 'members[value eq "x"]', value: 1 }), 400, 'invalidPath'],
    [() => patchGroup({ op: 'remove', path: 'members[type eq "User"]' }), 400, 'invalidPath'],
    [() => patchGroup({ op: 'replace', value: { id: nobody, displayName: 'z' } }), 400, 'mutability'],
    // One bad operation undoes those before it.
    [
      () =>
        patchGroup(
          { op: 'remove', path: 'members' },
          { op: 'add', path: 'members', value: [{ value: nobody }] },
        ),
      404,
    ],
    [() => client.get('/Users?filter=userName co "x"'), 400, 'invalidFilter'],
    [() => client.get('/Users?filter=displayName eq "x"'), 400, 'invalidFilter'],
    [() => client.get('/Users?filter=userName eq "x" or userName eq "y"'), 400, 'invalidFilter'],
    [() => client.get('/Users?filter='), 400, 'invalidFilter'],
    [() => client.get('/Users?count=many'), 400, 'invalidValue'],
    [() => client.get('/Users/not-an-id'), 404],
    [() => client.get(`/Groups/${id}`), 404],
    [() => client.call('PUT', `/Users/${nobody}`, { userName: 'x' }), 404],
    [() => client.patch(`/Groups/${nobody}`, { op: 'remove', path: 'members' }), 404],
    [() => client.call('DELETE', `/Groups/${nobody}`), 404],
    [() => client.get('/Nothing'), 404],
    [() => client.get('/Users/a/b'), 404],
    [() => client.call('DELETE', '/Users'), 405],
  ]
  for (const [send, status, type] of cases)
    expect(refusal(await send()), String(send)).toEqual([status, type])
  expect((await bed.db.selectFrom('change').select('id').execute()).length).toBe(before.length)
  expect(await membersOf(group)).toEqual([id])
})

test('what an identity provider did is told as such, with its token', async () => {
  const id = await addUser('told')
  await addGroup('told-group', id)
  await client.call('POST', '/Users', { userName: 'told' })
  const since = 'start_time=2020-01-01T00:00:00Z&sort_by=time_and_id_descending&limit=3'
  const { items } = (await newest(`/v1/system/audit-log?${since}`)).body
  const actor = { kind: 'scim', silo_id: silo.id }
  expect(items).toMatchObject([
    {
      operation_id: 'scim_v2_create_user',
      actor,
      auth_method: 'scim_token',
      result: { http_status_code: 409 },
    },
    { operation_id: 'scim_v2_create_group', actor, result: { http_status_code: 201 } },
    { operation_id: 'scim_v2_create_user', request_uri: '/scim/v2/Users', actor },
  ])
  await addUser('head')
  const head = (await client.get('/Users?filter=userName eq "head"')).body.Resources[0].id
  const admins = (await client.get('/Groups?filter=displayName eq "admins"')).body.Resources[0].id
  await client.patch(`/Groups/${admins}`, { op: 'add', path: 'members', value: [{ value: head }] })
  const boss = await signedIn(bed, 'acme', 'head')
  const activity = (await boss.get('/ext/v1/activity?limit=50')).body.items
  const entry = activity.find(
    ({ changes }: { changes: { name: string }[] }) => changes[0]?.name === 'told-group',
  )
  expect(entry).toMatchObject({
    actor: { kind: 'scim', id: null, auth_method: 'scim_token', token: { id: token.id, name: null } },
    changes: [{ kind: 'silo-group', action: 'created' }, { kind: 'silo-group-member' }],
  })
})

test('clients from before SCIM read what they know', async () => {
  const old = (path: string) => operator.call('GET', path, undefined, { 'api-version': '20250730.0.0' })
  const { body } = await old('/v1/system/silos/acme')
  expect(body.identity_mode).toBe('saml_jit')
  expect(body).not.toHaveProperty('admin_group_name')
  expect((await newest('/v1/system/silos/acme')).body).toMatchObject({
    identity_mode: 'saml_scim',
    admin_group_name: 'Admins',
  })
  expect((await old(`${tokens}?silo=acme`)).status).toBe(404)
  const since = 'start_time=2020-01-01T00:00:00Z&limit=1000'
  const { items } = (await old(`/v1/system/audit-log?${since}`)).body
  const created = items.find(
    ({ operation_id }: { operation_id: string }) => operation_id === 'scim_v2_create_user',
  )
  expect(created.actor).toEqual({
    kind: 'user_builtin',
    user_builtin_id: '001de000-05e4-4000-8000-000000000003',
  })
})

test('one client cannot take all of the server', async () => {
  const limits = { ...defaultSettings.limits, requests_per_second: 1, request_burst: 30 }
  const own = await scimControlPlane({ ...defaultSettings, limits })
  const { client: busy } = await scimSilo(own, await own.signIn('admin'), 'busy')
  const many = await Promise.all(Array.from({ length: 40 }, () => busy.get('/ServiceProviderConfig')))
  expect(many.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(30)
  const refused = many.find(({ status }) => status !== 200) ?? (await busy.get('/Users'))
  expect(refusal(refused)).toEqual([429, undefined])
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  await own.stop()
})
