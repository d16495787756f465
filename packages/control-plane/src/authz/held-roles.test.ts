import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { type Counted, countedStatements } from '../testing/counted-statements.ts'
import { migratedDatabase } from '../testing/migrated-database.ts'
import { raiseRolesEpoch } from './held-roles.ts'

let counted: Counted
let bed: TestBed
let owner: Caller
let project: string
/** Cache entries expire by the clock, which only this test moves. */
let now = Date.now()
const pass = (ms: number): void => void (now += ms)
beforeAll(async () => {
  counted = countedStatements(await migratedDatabase())
  bed = await testControlPlane({
    dialect: counted.dialect,
    idle: true,
    environment: { clock: () => new Date(now) },
  })
  owner = await bed.signIn('member')
  project = (await owner.get('/v1/projects/playground')).body.id
})
afterAll(() => bed.stop())

const playground = '/v1/projects/playground'
const policy = `${playground}/policy`
const statusOf = async (who: Caller) => (await who.get(playground)).status
const readsRoles = async (who: Caller): Promise<boolean> =>
  (await counted.during(() => who.get(playground))).some((text) => text.includes('role_assignment'))
async function withRole<Result>(id: string, role_name: string, run: () => Promise<Result>): Promise<Result> {
  const { role_assignments } = (await owner.get(policy)).body
  const role = { identity_type: 'silo_user', identity_id: id, role_name }
  await owner.call('PUT', policy, { role_assignments: [...role_assignments, role] })
  const result = await run()
  await owner.call('PUT', policy, { role_assignments })
  return result
}

test('roles are read once, then again after any role change or five seconds', async () => {
  const person = await bed.addUser('reader', { roles: [{ at: { project }, role: 'viewer' }] })
  expect([await readsRoles(person), await readsRoles(person)]).toEqual([true, false])
  await withRole(person.id, 'collaborator', async () => undefined)
  expect([await readsRoles(person), await readsRoles(person)]).toEqual([true, false])
  pass(5000)
  expect([await readsRoles(person), await readsRoles(person)]).toEqual([true, false])
  pass(-60_000)
  expect(await readsRoles(person)).toBe(true)
})

test('a granted or revoked role takes effect with the next request', async () => {
  const person = await bed.addUser('climber')
  expect(await statusOf(person)).toBe(404)
  expect(await withRole(person.id, 'viewer', () => statusOf(person))).toBe(200)
  expect(await statusOf(person)).toBe(404)
})

test('a rolled-back role change has no effect', async () => {
  const person = await bed.addUser('stayer', { roles: [{ at: { project }, role: 'viewer' }] })
  expect(await statusOf(person)).toBe(200)
  const stale = await owner.call('PUT', policy, { role_assignments: [] }, { 'if-match': '"999"' })
  expect(stale.status).toBe(412)
  expect(await readsRoles(person)).toBe(false)
  expect(await statusOf(person)).toBe(200)
})

test('an ended session is refused, whatever roles are cached', async () => {
  const person = await bed.addUser('leaver', { roles: [{ at: { project }, role: 'viewer' }] })
  expect(await statusOf(person)).toBe(200)
  await person.post('/v1/logout')
  expect(await statusOf(person)).toBe(401)
})

test('a view reads its credential and its object in one statement and writes nothing', async () => {
  const person = await bed.addUser('counter', { roles: [{ at: { project }, role: 'viewer' }] })
  await person.get(playground)
  const statements = await counted.during(() => person.get(playground))
  expect(statements).toHaveLength(1)
  expect(statements.filter((text) => !/^\s*select\b/i.test(text))).toEqual([])
})

test.each([
  ['/v1/instances?project=playground', 1],
  ['/ext/v1/instances?project=playground&name=a', 1],
  ['/v1/disks?project=playground', 1],
  ['/v1/images', 1],
  ['/v1/me', 1],
  ['/v1/projects', 1],
  ['/v1/projects/hidden', 1],
  ['/v1/instances?project=hidden', 1],
  ['/v1/system/hardware/racks', 1],
])('%s takes %i statements', async (path, count) => {
  const person = await bed.addUser(`counter${path.replaceAll(/\W/g, '-')}`, {
    roles: [{ at: { project }, role: 'viewer' }],
  })
  await person.get(path)
  expect(await counted.during(() => person.get(path))).toHaveLength(count)
})

/** Another process writes rows and, with roles, raises the epoch; this one hears of nothing. */
const elsewhere = {
  'ends the session': (id: string) =>
    bed.db.deleteFrom('console_session').where('silo_user_id', '=', id).execute(),
  'deletes the user': (id: string) =>
    bed.db
      .updateTable('silo_user')
      .set({ time_deleted: new Date(now) })
      .where('id', '=', id)
      .execute(),
  'revokes the role': (id: string) =>
    bed.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('role_assignment').where('identity_id', '=', id).execute()
      await raiseRolesEpoch(tx)
    }),
}
test.each([
  ['ends the session', playground, 401],
  ['ends the session', '/v1/me', 401],
  ['ends the session', '/v1/projects/hidden', 401],
  ['deletes the user', playground, 401],
  ['revokes the role', playground, 404],
  ['revokes the role', '/v1/instances?project=playground', 404],
] as const)(
  'a caller known a moment ago, for whom another process %s: %s is %i',
  async (what, path, status) => {
    const person = await bed.addUser(`known-${Math.random().toString(36).slice(2)}`, {
      roles: [{ at: { project }, role: 'viewer' }],
    })
    await person.get(path)
    expect(await counted.during(() => person.get(path))).toHaveLength(1)
    await elsewhere[what](person.id)
    const answer = await person.get(path)
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.body)).not.toContain(project)
  },
)

test('a project known a moment ago, which another process renames or deletes, is not found by its name', async () => {
  const { body } = await owner.post('/v1/projects', { name: 'atlas', description: '' })
  const list = (name: string) => owner.get(`/v1/instances?project=${name}`)
  const update = (patch: { name: string } | { time_deleted: Date }) =>
    bed.db
      .updateTable('project')
      .set((eb) => ({ ...patch, generation: eb('generation', '+', 1) }))
      .where('id', '=', body.id)
      .execute()
  await list('atlas')
  expect(await counted.during(() => list('atlas'))).toHaveLength(1)
  await update({ name: 'borealis' })
  expect([(await list('atlas')).status, (await list('borealis')).status]).toEqual([404, 200])
  expect(await counted.during(() => list('borealis'))).toHaveLength(1)
  await update({ time_deleted: new Date(now) })
  expect((await list('borealis')).status).toBe(404)
  expect(await counted.during(() => list('borealis'))).toHaveLength(1)
})

test('a project that others listed a moment ago stays hidden', async () => {
  await owner.post('/v1/projects', { name: 'hidden-away', description: '' })
  const person = await bed.addUser('outsider', { roles: [{ at: { project }, role: 'viewer' }] })
  const list = (who: Caller, name: string) => who.get(`/v1/instances?project=${name}`)
  await list(owner, 'hidden-away')
  await list(person, 'playground')
  const hidden = await list(person, 'hidden-away')
  const missing = await list(person, 'nowhere')
  const shown = ({ status, body }: typeof hidden) => [status, body.message]
  expect(shown(hidden)).toEqual([404, 'not found: project with name "hidden-away"'])
  expect(shown(missing)).toEqual([404, 'not found: project with name "nowhere"'])
  const count = async (name: string) => (await counted.during(() => list(person, name))).length
  expect([await count('hidden-away'), await count('nowhere')]).toEqual([1, 1])
})

test('a secret is recognised only as the kind of credential that it belongs to', async () => {
  const person = await bed.addUser('confused', { roles: [{ at: { project }, role: 'viewer' }] })
  expect(await statusOf(person)).toBe(200)
  const authorization = `Bearer oxide-token-${person.cookie.split('=')[1]}`
  expect((await bed.anonymous.call('GET', playground, undefined, { authorization })).status).toBe(401)
})

test('the last use of a session is written at most once a minute', async () => {
  const person = await bed.addUser('worker', { roles: [{ at: { project }, role: 'viewer' }] })
  const writes = async () =>
    (await counted.during(() => person.get(playground))).filter((text) =>
      /^update "console_session"/i.test(text),
    ).length
  pass(61_000)
  expect([await writes(), await writes(), await writes()]).toEqual([1, 0, 0])
  pass(30_000)
  expect(await writes()).toBe(0)
})
