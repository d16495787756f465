import { type OpName, operationId, ops } from '@gantry/api/registry'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetOldAudit } from '../../change/audit.ts'
import { changeLog, forgetOldChanges } from '../../stream/publisher.ts'
import { countUsage } from '../usage/count.ts'
import { defaultSettings } from '../../settings.ts'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { made } from '../../testing/hidden-things.ts'
import { testServices } from '../../testing/services.ts'
import { beginDevice, clientId, from } from '../sign-in/sign-in.fixtures.ts'

interface Change {
  kind: string
  op: string
  name: string | null
  is_visible: boolean
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}
interface Record_ {
  id: string
  request_id: string
  request_uri: string
  operation_id: string
  source_ip: string | null
  actor: { kind: string }
  actor_name: string | null
  actor_silo_name: string | null
  tried_name: string | null
  details: Record<string, unknown> | null
  auth_method: string | null
  result: { kind: string; error_code?: string }
  changes: Change[]
  change_count: number
  time_completed: string
}

let bed: TestBed
let operator: Caller
let member: Caller
let boss: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  member = await bed.signIn('member')
  boss = await bed.addUser('boss', { roles: [{ at: 'silo', role: 'admin' }] })
})
afterAll(() => bed.stop())

const since = 'start_time=2020-01-01T00:00:00Z'
const fleet = '/ext/v1/system/audit-log'
const records = async (query = '', path = fleet, by = operator): Promise<Record_[]> =>
  (await by.get(`${path}?${since}&${query}`)).body.items
const whole = async ({ id }: Record_, path = fleet, by = operator): Promise<Record_> =>
  (await by.get(`${path}/${id}`)).body
const newest = async (query: string, path?: string, by?: Caller): Promise<Record_> => {
  const [record] = await records(`sort_by=time_and_id_descending&limit=1&${query}`, path, by)
  if (!record) throw new Error(`no record matches ${query}`)
  return record
}

test('the log lists requests by the time at which they ended, in a window, as the reference does', async () => {
  await made(member, '/v1/projects', { name: 'harbour', description: '' })
  const { items, next_page } = (await operator.get(`/v1/system/audit-log?${since}&limit=1000`)).body
  const times = items.map(({ time_completed }: Record_) => time_completed)
  expect(times).toEqual(times.toSorted((one: string, other: string) => one.localeCompare(other)))
  expect(next_page).toMatch(/./)
  const last: Record_ = items.at(-1)
  const { id: silo_user_id, silo_id } = (await member.get('/v1/me')).body
  expect(last).toEqual({
    id: expect.any(String),
    time_started: expect.any(String),
    time_completed: expect.any(String),
    request_id: expect.any(String),
    request_uri: '/v1/projects',
    operation_id: 'project_create',
    source_ip: '127.0.0.1',
    user_agent: null,
    actor: { kind: 'silo_user', silo_user_id, silo_id },
    auth_method: 'session_cookie',
    result: { kind: 'success', http_status_code: 201 },
  })
  const from = encodeURIComponent(last.time_completed)
  const at = async (query: string) => (await operator.get(`/v1/system/audit-log?${query}`)).body.items
  const now = encodeURIComponent(new Date(Date.parse(last.time_completed) + 1).toISOString())
  expect((await at(`start_time=${from}`)).map(({ id }: Record_) => id)).toContain(last.id)
  expect((await at(`${since}&end_time=${from}`)).map(({ id }: Record_) => id)).not.toContain(last.id)
  expect(await at(`start_time=${now}&end_time=${now}`)).toEqual([])
  expect((await operator.get('/v1/system/audit-log')).body.message).toMatch(/start_time/)
  expect((await operator.get(`/v1/system/audit-log?start_time=yesterday`)).status).toBe(400)
  for (const year of ['0000', '0001', '9999'])
    expect((await operator.get(`/v1/system/audit-log?start_time=${year}-01-01T00:00:00Z`)).status).toBe(200)
  expect((await member.get(`/v1/system/audit-log?${since}`)).status).toBe(403)
})

test('a record lists its changes, with the object before and after', async () => {
  await made(operator, '/v1/system/ip-pools', { name: 'bay', description: 'old words' })
  await operator.call('PUT', '/v1/system/ip-pools/bay', { description: 'new words' })
  const record = await newest('operation=ip_pool_update')
  expect(record).toMatchObject({ actor_name: 'admin', actor_silo_name: 'demo', change_count: 1 })
  expect(record.changes).toMatchObject([
    { kind: 'ip-pool', op: 'update', name: 'bay', before: null, after: null },
  ])
  expect((await whole(record)).changes).toMatchObject([
    { before: { description: 'old words' }, after: { name: 'bay', description: 'new words' } },
  ])
  const [listed] = await records('operation=ip_pool_update&whole=true')
  expect(listed?.changes).toMatchObject([{ before: { description: 'old words' } }])
  await operator.call('DELETE', '/v1/system/ip-pools/bay')
  expect((await whole(await newest('operation=ip_pool_delete'))).changes).toMatchObject([
    { op: 'delete', before: { name: 'bay' }, after: null },
  ])
})

test('a refused request is recorded with its refusal, and changed nothing', async () => {
  await member.post('/v1/projects', { name: 'harbour', description: '' })
  const record = await newest('result=error&operation=project_create')
  expect(record).toMatchObject({
    result: { kind: 'error', error_code: 'ObjectAlreadyExists' },
    changes: [],
    change_count: 0,
  })
  expect(await records('result=success&operation=project_create')).not.toContainEqual(record)
})

test('records are found by user, operation and object', async () => {
  const project = await made(member, '/v1/projects', { name: 'lagoon', description: '' })
  const uris = async (query: string) => (await records(query)).map(({ operation_id }) => operation_id)
  expect(await uris('object=lagoon')).toEqual(['project_create'])
  expect(await uris(`object=${project}`)).toEqual(['project_create'])
  expect(await uris('object=nothing-at-all')).toEqual([])
  const { id } = (await member.get('/v1/me')).body
  expect(await records('actor=member')).toEqual(await records(`actor=${id}`))
  expect((await records('actor=member')).length).toBeGreaterThan(1)
  expect(new Set((await records('actor=member')).map(({ actor_name }) => actor_name))).toEqual(
    new Set(['member']),
  )
  expect(await records('actor=nobody-of-that-name')).toEqual([])
  expect(new Set(await uris('operation=project_create,login_local'))).toEqual(
    new Set(['project_create', 'login_local']),
  )
})

test('a UUID is an id in any form, or the name that an identity provider gave', async () => {
  const project = await made(member, '/v1/projects', { name: 'strait', description: '' })
  const { id } = (await member.get('/v1/me')).body
  const named = crypto.randomUUID()
  const guest = await bed.addUser('federated', { roles: [{ at: 'silo', role: 'collaborator' }] })
  await bed.db.updateTable('silo_user').set({ external_id: named }).where('id', '=', guest.id).execute()
  await made(guest, '/v1/projects', { name: 'sound', description: '' })
  const silo = '/ext/v1/audit-log'
  for (const [path, by] of [
    [fleet, operator],
    [silo, boss],
  ] as const) {
    const of = (query: string) => records(query, path, by)
    for (const form of [`urn:uuid:${id}`, `{${id}}`, id.toUpperCase(), id.replaceAll('-', '')])
      expect(await of(`actor=${encodeURIComponent(form)}`)).toEqual(await of(`actor=${id}`))
    expect((await of(`object=urn:uuid:${project}`)).map(({ operation_id }) => operation_id)).toEqual([
      'project_create',
    ])
    expect(await of(`actor=${named}&operation=project_create`)).toMatchObject([{ actor_name: named }])
  }
  expect(await records(`actor=${named}`)).toEqual(await records(`actor=${guest.id}`))
  await operator.call('DELETE', `/v1/system/identity-providers/local/users/${guest.id}?silo=demo`)
  expect(await records(`object=${named}`)).toMatchObject([{ operation_id: 'local_idp_user_delete' }])
  expect(await records(`object=${named}`)).toEqual(await records(`object=${guest.id}`))
})

test('an operator without a role in a project sees that it changed, and not its contents', async () => {
  const far = await bed.addUser('far', {
    siloId: await bed.addSilo('elsewhere'),
    roles: [{ at: 'fleet', role: 'viewer' }],
  })
  const { id } = await newest('operation=project_create&object=lagoon')
  const { body } = await far.get(`${fleet}/${id}`)
  const change = body.changes.find(({ kind }: Change) => kind === 'project')
  expect(change).toMatchObject({ op: 'create', name: null, is_visible: false, before: null, after: null })
  expect(JSON.stringify(body)).not.toContain('lagoon')
})

test('the admins of a silo see what happened in it, and nothing of the fleet or other silos', async () => {
  const own = '/ext/v1/audit-log'
  expect((await member.get(`${own}?${since}`)).status).toBe(403)
  await operator.call('PUT', '/v1/system/silos/demo/quotas', { cpus: 77 })
  const seen = await records('limit=1000', own, boss)
  expect(seen.some(({ operation_id }) => operation_id === 'project_create')).toBe(true)
  const quotas = await newest('operation=silo_quotas_update', own, boss)
  expect((await whole(quotas, own, boss)).changes).toMatchObject([
    { kind: 'silo-quotas', after: { cpus: 77 } },
  ])
  for (const secret of ['ip_pool_', 'sled_']) expect(JSON.stringify(seen)).not.toContain(secret)
  // A refused operation on the fleet stays with the fleet, even one of the silo's own users.
  await member.post('/v1/system/ip-pools', { name: 'refused', description: '' })
  expect((await newest('operation=ip_pool_create&result=error')).actor_name).toBe('member')
  expect(await records('operation=ip_pool_create', own, boss)).toEqual([])
  await member.post('/experimental/v1/system/support-bundles', { user_comment: null })
  await member.post('/ext/v1/faults', { kind: 'sled_lost', sled_id: crypto.randomUUID() })
  for (const operation of ['support_bundle_create', 'fault_inject']) {
    expect((await newest(`operation=${operation}&result=error`)).actor_name).toBe('member')
    expect(await records(`operation=${operation}`, own, boss)).toEqual([])
  }
  const ofFleet = await newest('operation=ip_pool_create&result=error')
  expect((await boss.get(`${own}/${ofFleet.id}`)).status).toBe(404)

  const strange = await bed.addUser('strange', {
    siloId: await bed.addSilo('strangers'),
    roles: [{ at: 'silo', role: 'admin' }],
  })
  const theirs = await records('limit=1000', own, strange)
  expect(theirs.map(({ operation_id }) => operation_id)).toEqual(['login_local'])
  expect((await strange.get(`${own}/${quotas.id}`)).status).toBe(404)

  const outside = await bed.addUser('outside', {
    siloId: await bed.addSilo('operators'),
    roles: [{ at: 'fleet', role: 'admin' }],
  })
  await outside.call('PUT', '/v1/system/silos/demo/quotas', { cpus: 78 })
  const byOutsider = await newest('operation=silo_quotas_update', own, boss)
  expect(byOutsider).toMatchObject({ actor_name: null, actor_silo_name: null, source_ip: null })
  expect((await newest('operation=silo_quotas_update')).actor_name).toBe('outside')
})

test('a silo finds what operators did by the words that its log shows, and not which of them', async () => {
  const own = '/ext/v1/audit-log'
  const guestSilo = await bed.addSilo('guests')
  const host = await bed.addUser('host', { siloId: guestSilo, roles: [{ at: 'silo', role: 'admin' }] })
  const other = await bed.addUser('on-call', {
    siloId: await bed.addSilo('on-call'),
    roles: [{ at: 'fleet', role: 'admin' }],
  })
  await operator.call('PUT', '/v1/system/silos/guests/quotas', { cpus: 3 })
  await other.call('PUT', '/v1/system/silos/guests/quotas', { cpus: 4 })
  await other.call('PUT', '/v1/system/silos/on-call/quotas', { cpus: 5 })
  const of = (actor: string, path = own, by: Caller = host) =>
    records(`actor=${encodeURIComponent(actor)}&limit=1000`, path, by)
  const theirs = await of('An operator')
  expect(theirs.map(({ operation_id }) => operation_id)).toEqual(['silo_quotas_update', 'silo_quotas_update'])
  for (const record of theirs)
    expect(record).toMatchObject({ actor_name: null, actor_silo_name: null, source_ip: null })
  expect(theirs).toEqual(
    (await records('limit=1000', own, host)).filter(
      ({ actor, actor_name }) => actor.kind === 'silo_user' && actor_name === null,
    ),
  )
  expect(await of('AN OPERATOR')).toEqual(theirs)
  const first = (await host.get(`${own}?${since}&actor=an%20operator&limit=1`)).body
  const rest = (await host.get(`${own}?page_token=${encodeURIComponent(first.next_page)}`)).body
  expect([...first.items, ...rest.items]).toEqual(theirs)
  for (const stranger of ['admin', 'on-call', 'An operator of', ' An operator'])
    expect(await of(stranger)).toEqual([])
  // The installation's log names its operators.
  expect(await of('An operator', fleet, operator)).toEqual([])
  expect((await of('on-call', fleet, operator)).length).toBeGreaterThan(1)
  expect((await of('An operator', own, operator)).every(({ actor_name }) => actor_name === null)).toBe(true)
  expect((await member.get(`${own}?${since}&actor=An%20operator`)).status).toBe(403)
  expect((await host.get(`${fleet}?${since}&actor=An%20operator`)).status).toBe(403)
})

const login = (username: string, password: string, silo = 'demo') =>
  from(bed, '192.0.2.66', `/v1/login/${silo}/local`, { username, password })

test('a sign-in names its account, a failed one the name that was tried, and the base log neither', async () => {
  const own = '/ext/v1/audit-log'
  const { id: silo_user_id, silo_id } = (await member.get('/v1/me')).body
  expect((await login('member', 'correct horse')).status).toBe(204)
  const signedIn = await newest('operation=login_local&result=success')
  expect(signedIn).toMatchObject({ actor_name: 'member', actor_silo_name: 'demo', tried_name: null })

  expect((await login('member', 'a wrong password')).status).toBe(401)
  const wrong = await newest('operation=login_local&result=error')
  expect(wrong).toMatchObject({ actor_name: 'member', tried_name: null, actor: { kind: 'unauthenticated' } })
  expect(await records('operation=login_local&actor=member&result=error')).toContainEqual(wrong)

  const secret = 'correct-horse-typed-into-the-name'
  expect((await login(secret, 'a wrong password')).status).toBe(401)
  const unknown = await newest('operation=login_local&result=error')
  expect(unknown).toMatchObject({ actor_name: null, tried_name: 'correct-…' })
  expect(await records(`actor=${encodeURIComponent('correct-…')}`)).toEqual([unknown])
  const bySignedOut = await records('actor=not%20signed%20in&limit=1000')
  for (const record of [wrong, unknown]) expect(bySignedOut).toContainEqual(record)
  expect(
    bySignedOut.filter(({ actor, actor_name }) => actor.kind !== 'unauthenticated' || actor_name === 'admin'),
  ).toEqual([])
  expect(bySignedOut).not.toContainEqual(signedIn)
  for (const record of [signedIn, wrong, unknown])
    expect(await records('operation=login_local', own, boss)).toContainEqual(record)

  // A silo that does not exist: the installation's log only.
  expect((await login('member', 'a wrong password', 'a-silo-of-nobody')).status).toBe(401)
  const nowhere = await newest('operation=login_local&result=error')
  expect(nowhere).toMatchObject({ actor_name: null, tried_name: 'member' })
  expect(await records('operation=login_local', own, boss)).not.toContainEqual(nowhere)

  const { items } = (await operator.get(`/v1/system/audit-log?${since}&limit=1000`)).body
  for (const { id } of [signedIn, wrong, unknown]) {
    const entry = items.find((each: Record_) => each.id === id)
    expect(entry).toMatchObject({ actor: { kind: 'unauthenticated' }, auth_method: null })
    expect(JSON.stringify(entry)).not.toMatch(new RegExp(`${silo_user_id}|${silo_id}|correct-`))
  }
  expect(JSON.stringify(await bed.db.selectFrom('audit').selectAll().execute())).not.toContain('correct-')
  await bed.db.deleteFrom('failed_sign_in').execute()
  expect(await whole(unknown)).toMatchObject({ actor_name: null, tried_name: null })
  expect(await whole(wrong)).toMatchObject({ actor_name: 'member' })
})

test('the object of an operation comes before its parts, and addresses are text', async () => {
  await made(member, '/v1/projects', { name: 'marina', description: '' })
  const size = { ncpus: 1, memory: 2 ** 30, hostname: 'buoy', start: false }
  await made(member, '/v1/instances?project=marina', {
    name: 'buoy',
    description: '',
    ...size,
    network_interfaces: { type: 'default' },
    external_ips: [{ type: 'ephemeral' }],
  })
  expect((await member.call('DELETE', '/v1/instances/buoy?project=marina')).status).toBe(204)
  for (const path of [fleet, '/ext/v1/audit-log']) {
    const record = await newest('operation=instance_delete&object=buoy', path)
    expect(record.changes[0]).toMatchObject({ kind: 'instance', op: 'delete', name: 'buoy' })
    const { changes } = await whole(record, path)
    expect(changes.map(({ kind }) => kind)).toEqual([
      'instance',
      'instance-network-interface',
      'external-ip',
      'external-ip',
    ])
    const before = changes[1]?.before ?? {}
    expect(before).toMatchObject({ ip: '172.30.0.5', mac: expect.stringMatching(/^([0-9A-F]{2}:){5}/) })
    expect(Object.keys(before).filter((column) => column.endsWith('_int'))).toEqual([])
  }
  const created = await newest('operation=project_create&object=marina')
  expect(created.changes[0]).toMatchObject({ kind: 'project', name: 'marina' })
})

test('a record of a session or a device names its user and the device', async () => {
  const { device_code: _, user_code } = (await beginDevice(bed)).body
  expect((await member.post('/device/confirm', { user_code })).status).toBe(204)
  const approved = await newest('operation=device_auth_confirm')
  expect(approved).toMatchObject({
    actor_name: 'member',
    details: { client_id: clientId, device_address: '127.0.0.1', token_id: expect.any(String) },
    changes: [{ kind: 'device-access-token', name: 'member' }],
  })
  expect(JSON.stringify(approved)).not.toContain(user_code)
  const guest = await bed.addUser('guest', { roles: [{ at: 'silo', role: 'viewer' }] })
  expect((await boss.post(`/v1/users/${guest.id}/logout`, {})).status).toBe(204)
  const ended = await newest('operation=user_logout', '/ext/v1/audit-log', boss)
  expect(ended.changes).toMatchObject([
    { kind: 'console-session', name: 'guest' },
    { kind: 'device-access-token', name: 'guest' },
  ])
})

test('no secret is in any record', async () => {
  const userData = btoa('password: swordfish')
  await made(member, '/v1/projects', { name: 'vault', description: '' })
  await made(member, '/v1/instances?project=vault', {
    name: 'safe',
    description: '',
    ncpus: 1,
    memory: 2 ** 30,
    hostname: 'safe',
    start: false,
    user_data: userData,
  })
  const invited = (await operator.post('/ext/v1/system/silos/demo/people', { external_id: 'newcomer' })).body
  const hashes = await bed.db.selectFrom('console_session').select('token_hash').execute()
  const all = await records('whole=true&limit=50&sort_by=time_and_id_descending')
  const created = await whole(await newest('operation=instance_create'), fleet, operator)
  const text = JSON.stringify([all, created])
  expect(text).toContain('newcomer')
  const never = [
    'swordfish',
    userData,
    invited.password,
    'correct horse',
    ...hashes.map((row) => row.token_hash),
  ]
  for (const secret of never) expect(text).not.toContain(secret)
  const own = await whole(
    await newest('operation=instance_create', '/ext/v1/audit-log', boss),
    '/ext/v1/audit-log',
    boss,
  )
  expect(own.changes.find(({ kind }) => kind === 'instance')?.after).toMatchObject({
    name: 'safe',
    user_data: '(not shown)',
  })
})

test('nobody can change or delete a record through the product', async () => {
  const writes = (Object.keys(ops) as OpName[]).filter(
    (name) => ops[name].path.includes('audit-log') && ops[name].method !== 'GET',
  )
  expect(writes).toEqual([])
  const before = await bed.db.selectFrom('audit').selectAll().orderBy('id').execute()
  const [first] = before
  for (const path of ['/v1/system/audit-log', fleet, '/ext/v1/audit-log'])
    for (const method of ['DELETE', 'PUT', 'POST', 'PATCH'])
      for (const at of [path, `${path}/${first?.id}`])
        expect([404, 405]).toContain((await operator.call(method, at, {})).status)
  expect(await bed.db.selectFrom('audit').selectAll().orderBy('id').execute()).toEqual(before)
  // No operation names the audit log among what it changes.
  expect(Object.entries(ops).filter(([, { changes }]) => changes.includes('audit-record'))).toEqual([])
  expect(Object.keys(ops).map(operationId)).toContain('audit_log_list')
})

test('the changes of a request outlive the change streams, for as long as configured', async () => {
  await eventually(
    () => bed.db.selectFrom('change').select('id').where('seq', 'is', null).execute(),
    (rows) => rows.length === 0,
  )
  const day = 24 * 3_600_000
  const settings = { ...defaultSettings, audit: { ...defaultSettings.audit, changes_retention_days: 60 } }
  const after = (days: number) =>
    testServices({ db: bed.db, clock: () => new Date(Date.now() + days * day), settings })
  const project = await newest('operation=project_create&object=lagoon')
  const system = () =>
    bed.db
      .selectFrom('change')
      .select('entry_id')
      .distinct()
      .where('request_id', 'is', null)
      .orderBy('entry_id')
      .execute()
  // What the platform did is told for as long.
  const told = (await system()).filter(({ entry_id }) => entry_id !== null)
  expect(told.length).toBeGreaterThan(0)
  expect(await changeLog(bed.db).first()).toBe(1)

  // What is not counted yet stays.
  await forgetOldChanges(after(40))
  expect(await changeLog(bed.db).first()).toBe(1)
  await countUsage(after(40))
  await forgetOldChanges(after(40))
  expect(await system()).toEqual(told)
  expect((await whole(project)).change_count).toBe(project.change_count)
  // Streams cannot resume where changes are missing.
  expect(await changeLog(bed.db).first()).toBeUndefined()

  await forgetOldChanges(after(61))
  expect((await whole(project)).changes).toEqual([])
  expect(await system()).toEqual([])
  await forgetOldAudit(after(364))
  expect((await whole(project)).id).toBe(project.id)
  await forgetOldAudit(after(366))
  expect(await bed.db.selectFrom('audit').select('id').execute()).toEqual([])
})
