import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '../testing/control-plane.ts'
import { withNote } from '../testing/counted-statements.ts'
import { migratedDatabase } from '../testing/migrated-database.ts'
import { sendSlowly } from '../testing/send-slowly.ts'

let bed: TestBed
let owner: Caller
let project: string
let sessionsFail = false
beforeAll(async () => {
  const dialect = withNote(await migratedDatabase(), (text) => {
    if (sessionsFail && text.includes('console_session')) throw new Error('the look-up failed')
  })
  bed = await testControlPlane({ dialect, idle: true })
  owner = await bed.signIn('member')
  project = (await owner.get('/v1/projects/playground')).body.id
})
afterAll(() => bed.stop())

const createSlowly = (who: Caller, name: string, meanwhile: () => Promise<unknown>) => {
  const body = { name, dns_name: name, description: '' }
  return sendSlowly(bed, who, { path: '/v1/vpcs?project=playground', body }, meanwhile)
}
const wait = async (): Promise<void> => bed.pass(1000)
const collaborator = (name: string) =>
  bed.addUser(name, { roles: [{ at: { project }, role: 'collaborator' }] })

test('a body may take its time', async () => {
  expect(await createSlowly(await collaborator('slow'), 'slow', wait)).toBe(201)
})

/** Takes a person's roles in the project away. */
async function revoke(person: { id: string }): Promise<void> {
  const policy = '/v1/projects/playground/policy'
  const { role_assignments } = (await owner.get(policy)).body
  const others = role_assignments.filter(
    ({ identity_id }: { identity_id: string }) => identity_id !== person.id,
  )
  expect((await owner.call('PUT', policy, { role_assignments: others })).status).toBe(200)
  await wait()
}

test('a role that was taken away while the body arrived does not count', async () => {
  const person = await collaborator('demoted')
  expect(await createSlowly(person, 'demoted', () => revoke(person))).toBe(404)
})

test('nor for a piece of an image', async () => {
  const person = await collaborator('uploader')
  const facts = { name: 'slow', description: '', os: 'Linux', version: '1', block_size: 512, size: 1024 ** 2 }
  const { id } = (await person.post('/ext/v1/image-uploads?project=playground', facts)).body
  const send = (meanwhile: () => Promise<unknown>) => {
    const path = `/ext/v1/image-uploads/${id}/content?offset=0`
    return sendSlowly(bed, person, { method: 'PUT', path, body: new Uint8Array(512) }, meanwhile)
  }
  expect([await send(wait), await send(() => revoke(person))]).toEqual([204, 404])
})

test('a session that ended while the body arrived does not count', async () => {
  const person = await collaborator('leaver')
  const leave = async () => {
    await person.post('/v1/logout')
    await wait()
  }
  expect(await createSlowly(person, 'leaver', leave)).toBe(401)
})

test('a sign-out is not confirmed while the session cannot be looked up', async () => {
  const person = await bed.addUser('undecided')
  sessionsFail = true
  const { status } = await person.post('/v1/logout')
  sessionsFail = false
  expect([status, (await person.get('/v1/me')).status]).toEqual([500, 200])
  expect(bed.logged.splice(0).map(({ fields }) => fields.operation)).toContain('logout')
})
