import { type ProtectedKind, protectedKinds } from '@gantry/api/history/protection.rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, eventually, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { furnishProject, made } from '../../testing/hidden-things.ts'

let bed: TestBed
let member: Caller
let viewer: Caller
let silo: string
/** One of each kind in project `kept`, by selector. */
let ids: Record<string, string>
beforeAll(async () => {
  bed = await testControlPlane()
  member = await bed.signIn('member')
  viewer = await bed.signIn('viewer')
  silo = (await member.get('/v1/me')).body.silo_id
  ids = await furnishProject(member, 'kept')
})
afterAll(() => bed.stop())

/** Where each kind's object is shown and deleted. */
const paths: Readonly<Record<ProtectedKind, string>> = {
  instance: 'instances',
  disk: 'disks',
  image: 'images',
  'floating-ip': 'floating-ips',
  'external-subnet': 'external-subnets',
  vpc: 'vpcs',
  project: 'projects',
}
const idOf = (kind: ProtectedKind): string => ids[kind.replace('-', '_')] ?? ''
const address = (kind: ProtectedKind, id = idOf(kind)) => `/ext/v1/protections/${id}?kind=${kind}`
const noDelete = { no_delete: true, no_stop: false, reason: 'holds the payroll' }
const protect = (kind: ProtectedKind, id?: string, body: object = noDelete, by = member) =>
  by.call('PUT', address(kind, id), body)
const unprotect = (kind: ProtectedKind, id?: string, by = member) => by.call('DELETE', address(kind, id))
const remove = (kind: ProtectedKind, id = idOf(kind)) => member.call('DELETE', `/v1/${paths[kind]}/${id}`)
const listed = async (query = 'project=kept', by = viewer) =>
  (await by.get(`/ext/v1/protections?${query}`)).body.items

const machine = (name: string, more: object = {}) =>
  made(member, '/v1/instances?project=kept', {
    name,
    description: '',
    ncpus: 1,
    memory: 2 ** 30,
    hostname: name,
    network_interfaces: { type: 'none' },
    ...more,
  })
const act = (id: string, action: string) => member.post(`/v1/instances/${id}/${action}`)
const reaches = (id: string, state: string) =>
  eventually(
    async () => (await member.get(`/v1/instances/${id}`)).body,
    (instance) => instance.run_state === state,
  )

test.each(protectedKinds)(
  'a protected %s cannot be deleted, by whatever else it could not be',
  async (kind) => {
    const before = (await member.get(`/v1/${paths[kind]}/${idOf(kind)}`)).body
    expect((await protect(kind)).body).toMatchObject({
      id: idOf(kind),
      kind,
      ...noDelete,
      set_by: { name: 'member' },
      time_set: expect.any(String),
    })
    const refused = await remove(kind)
    expect(refused.status).toBe(400)
    expect(refused.body.error_code).toBe('InvalidRequest')
    expect(refused.body.message).toMatch(/ is protected by member: holds the payroll$/)
    expect(await listed()).toContainEqual(expect.objectContaining({ id: idOf(kind), kind }))
    // Nothing of it is in the answers of the base API, nor does its time say that it changed.
    expect((await member.get(`/v1/${paths[kind]}/${idOf(kind)}`)).body).toEqual(before)
    expect((await unprotect(kind)).status).toBe(204)
    expect(await listed()).not.toContainEqual(expect.objectContaining({ id: idOf(kind) }))
  },
)

test('what is protected goes once the protection is taken off, and nothing of it stays', async () => {
  const id = await machine('short-lived', { start: false })
  await protect('instance', id)
  expect((await remove('instance', id)).status).toBe(400)
  await unprotect('instance', id)
  expect((await remove('instance', id)).status).toBe(204)
  expect((await protect('instance', id)).status).toBe(404)
  // One that is not against deletion goes with its object.
  const stopped = await machine('stopped', { start: false })
  await protect('instance', stopped, { no_delete: false, no_stop: true, reason: 'x' })
  expect((await remove('instance', stopped)).status).toBe(204)
  expect(await listed()).not.toContainEqual(expect.objectContaining({ id: stopped }))
})

test('an instance that is protected against stopping is neither stopped nor forced off, but rebooted', async () => {
  const id = await machine('serving')
  await reaches(id, 'running')
  await protect('instance', id, { no_delete: false, no_stop: true, reason: 'serves the shop' })
  for (const request of [act(id, 'stop'), member.post(`/ext/v1/instances/${id}/force-off`)]) {
    const { status, body } = await request
    expect([status, body.message]).toEqual([400, 'instance serving is protected by member: serves the shop'])
  }
  const row = await bed.db.selectFrom('instance').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect([row.run_state, row.intended_state]).toEqual(['running', 'running'])
  expect((await act(id, 'reboot')).status).toBe(202)
  await reaches(id, 'running')
  // In bulk too, as by the single calls.
  const action = await member.post('/ext/v1/instance-actions?project=kept', {
    action: 'stop',
    instances: ['serving'],
  })
  const done = await eventually(
    async () => (await member.get(`/ext/v1/instance-actions/${action.body.id}?project=kept`)).body,
    ({ state }) => state === 'done',
  )
  expect(done.items[0].error.message).toContain('is protected by member')
  await unprotect('instance', id)
  expect((await act(id, 'stop')).status).toBe(202)
  await reaches(id, 'stopped')
  // One that is stopped already stays so.
  await protect('instance', id, { no_delete: true, no_stop: true, reason: 'x' })
  expect((await act(id, 'stop')).status).toBe(202)
  await unprotect('instance', id)
})

test('a protection has a reason, and is against something that can be done to the object', async () => {
  const bad = [
    { ...noDelete, reason: '' },
    { ...noDelete, reason: '  ' },
    { ...noDelete, reason: 'x'.repeat(257) },
    { no_delete: false, no_stop: false, reason: 'x' },
    { no_delete: true, no_stop: true, reason: 'x' },
    { reason: 'x' },
  ]
  for (const body of bad) expect((await protect('disk', undefined, body)).status).toBe(400)
  expect((await protect('disk', undefined, { ...noDelete, reason: 'x'.repeat(256) })).status).toBe(200)
  await unprotect('disk')
  // An object of another kind, and a kind that cannot be protected.
  expect((await protect('vpc', idOf('disk'))).status).toBe(404)
  const subnet = await member.call('PUT', `/ext/v1/protections/${ids.subnet}?kind=vpc-subnet`, noDelete)
  expect(subnet.status).toBe(400)
  // Taking off none is no error.
  expect((await unprotect('disk')).status).toBe(204)
})

test('who may not modify the object neither protects it nor takes its protection off', async () => {
  await protect('disk')
  expect((await protect('disk', undefined, noDelete, viewer)).status).toBe(403)
  expect((await unprotect('disk', undefined, viewer)).status).toBe(403)
  const stranger = await bed.addUser('stranger', {
    siloId: await bed.addSilo('elsewhere'),
    roles: [{ at: 'silo', role: 'admin' }],
  })
  expect((await protect('disk', undefined, noDelete, stranger)).status).toBe(404)
  expect((await stranger.get('/ext/v1/protections?project=kept')).status).toBe(404)
  expect(await listed('', stranger)).toEqual([])
  expect(await listed()).toContainEqual(expect.objectContaining({ id: idOf('disk') }))
  await unprotect('disk')
})

test('without a project, the list has the protected projects and images of the silo', async () => {
  await protect('project')
  await protect('disk')
  await protect('image')
  const kindsIn = async (query: string) =>
    (await listed(query)).map(({ kind }: { kind: string }) => kind).toSorted()
  expect(await kindsIn('')).toEqual(['project'])
  expect(await kindsIn('project=kept')).toEqual(['disk', 'image', 'project'])
  const admin = await bed.addUser('silo-admin', { siloId: silo, roles: [{ at: 'silo', role: 'admin' }] })
  expect((await admin.post(`/v1/images/${idOf('image')}/promote`)).status).toBe(202)
  // A promoted image keeps its protection.
  expect(await kindsIn('')).toEqual(['image', 'project'])
  expect((await admin.call('DELETE', `/v1/images/${idOf('image')}`)).status).toBe(400)
  for (const kind of ['project', 'disk'] as const) await unprotect(kind)
  await unprotect('image', undefined, admin)
})

test('the account tells who protected it, why, and who took it off or tried to delete it', async () => {
  await protect('vpc')
  await remove('vpc')
  await unprotect('vpc')
  const { body } = await viewer.get(`/ext/v1/activity?project=kept&object=${idOf('vpc')}&limit=3`)
  const told = body.items.map(
    ({ outcome, changes: [change] }: { outcome: string; changes: { action: string; name: string }[] }) =>
      `${outcome} ${change?.action} ${change?.name}`,
  )
  expect(told).toEqual(['done unprotected default', 'refused deleted default', 'done protected default'])
  expect(body.items[2].changes[0].differences).toEqual([
    {
      field: 'protection',
      before: null,
      after: expect.objectContaining({ no_delete: true, reason: 'holds the payroll' }),
    },
  ])
})

test('protecting an instance that is starting is done at once, whatever becomes of the start', async () => {
  const id = await machine('starting')
  await bed.db.updateTable('instance').set({ run_state: 'starting' }).where('id', '=', id).execute()
  await protect('instance', id)
  const { body } = await viewer.get(`/ext/v1/activity?project=kept&object=${id}&action=protected`)
  expect(body.items[0]).toMatchObject({ outcome: 'done', operation: 'protection_update' })
})

test('a protection and a deletion at once leave a protected object, or none', async () => {
  for (let round = 0; round < 8; round++) {
    const id = await machine(`contested-${round}`, { start: false })
    const [set, gone] = await Promise.all([protect('instance', id), remove('instance', id)])
    const { status } = await member.get(`/v1/instances/${id}`)
    expect([set.status, gone.status, status]).toEqual(set.status === 200 ? [200, 400, 200] : [404, 204, 404])
  }
})

test('an edit that saw the object before its protection is refused as stale', async () => {
  const seen = await member.get(`/v1/disks/${idOf('disk')}`)
  const match = { 'if-match': seen.headers.get('etag') ?? '' }
  expect((await protect('disk')).status).toBe(200)
  const stale = await member.call('DELETE', address('disk'), undefined, match)
  expect(stale.status).toBe(412)
  await unprotect('disk')
})
