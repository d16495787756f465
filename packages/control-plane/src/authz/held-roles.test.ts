import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { type Counted, countedStatements } from '../testing/counted-statements.ts'
import { migratedDatabase } from '../testing/migrated-database.ts'

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

test('a request reads its credential in one statement and writes nothing', async () => {
  const person = await bed.addUser('counter', { roles: [{ at: { project }, role: 'viewer' }] })
  await person.get(playground)
  const statements = await counted.during(() => person.get(playground))
  expect(statements).toHaveLength(2)
  expect(statements.filter((text) => !/^\s*select\b/i.test(text))).toEqual([])
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
