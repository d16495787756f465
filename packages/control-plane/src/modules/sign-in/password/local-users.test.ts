import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { deviceOf } from '../sign-in.fixtures.ts'

let bed: TestBed
let admin: Caller
let farId: string
beforeAll(async () => {
  bed = await testControlPlane()
  admin = await bed.signIn('admin')
  farId = await bed.addSilo('far')
})
afterAll(() => bed.stop())

const users = '/v1/system/identity-providers/local/users'
const secret = { mode: 'password', value: 'battery staple' }
const create = (who: Caller, external_id: string, silo = 'demo', password: object = secret) =>
  who.post(`${users}?silo=${silo}`, { external_id, password })
const setPassword = (who: Caller, id: string, password: object, silo = 'demo') =>
  who.post(`${users}/${id}/set-password?silo=${silo}`, password)
const remove = (who: Caller, id: string, silo = 'demo') => who.call('DELETE', `${users}/${id}?silo=${silo}`)
const login = async (username: string, password = secret.value, silo = 'demo') =>
  (await bed.anonymous.post(`/v1/login/${silo}/local`, { username, password })).status

test('a new user signs in with the password that was set', async () => {
  const made = await create(admin, 'newcomer')
  expect([made.status, made.body]).toEqual([
    201,
    { id: expect.any(String), display_name: 'newcomer', silo_id: (await admin.get('/v1/me')).body.silo_id },
  ])
  expect(await login('newcomer')).toBe(204)
  expect(await login('newcomer', 'wrong')).toBe(401)
  const twice = await create(admin, 'newcomer')
  expect([twice.status, twice.body.error_code, twice.body.message]).toEqual([
    400,
    'ObjectAlreadyExists',
    'already exists: silo-user "newcomer"',
  ])
  // The same name belongs to another user in another silo.
  expect((await create(admin, 'newcomer', farId)).status).toBe(201)
})

test('of several who create the same user, one succeeds', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => create(admin, 'wanted')))
  expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([201, 400, 400, 400, 400])
})

test.each([
  ['', 'a password must have at least 12 characters'],
  ['x', 'a password must have at least 12 characters'],
  ['password1234', 'this password is easy to guess'],
  ['weakling-2026', 'this password is easy to guess'],
  ['demodemodemo', 'this password is easy to guess'],
])('refuses the password %j', async (value, problem) => {
  const weak = { mode: 'password', value }
  const person = await bed.addUser(`weakling-${crypto.randomUUID().slice(0, 4)}`)
  for (const refused of [
    await create(admin, 'weakling', 'demo', weak),
    await setPassword(admin, person.id, weak),
  ]) {
    expect([refused.status, refused.body.error_code]).toEqual([400, 'InvalidValue'])
    expect(refused.body.message).toContain(`unsupported value for "password": ${problem}`)
    expect(refused.body.help).toMatch(/^Choose a longer one/)
  }
  expect(await login('weakling', value)).toBe(401)
})

test('a password can be removed', async () => {
  const { id } = (await create(admin, 'emptied')).body
  expect((await setPassword(admin, id, { mode: 'login_disallowed' })).status).toBe(204)
  expect(await login('emptied')).toBe(401)
  expect((await setPassword(admin, id, secret)).status).toBe(204)
  expect(await login('emptied')).toBe(204)
  const { id: shut } = (await create(admin, 'shut', 'demo', { mode: 'login_disallowed' })).body
  expect(await login('shut', '')).toBe(401)
  expect((await remove(admin, shut)).status).toBe(204)
})

test.each([
  [{ external_id: 'Bad', password: secret }, /external_id: name must begin/],
  [{ external_id: 'good' }, /missing field `password`/],
  [{ external_id: 'good', password: { mode: 'other' } }, /password/],
  [{ external_id: 'good', password: { mode: 'password' } }, /missing field `value`/],
  [
    { external_id: 'good', password: { mode: 'password', value: 'é'.repeat(257) } },
    /unsupported password: the password provided was too long/,
  ],
])('%j is refused', async (body, message) => {
  const answer = await admin.post(`${users}?silo=demo`, body)
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)])
})

test('deleting a user deletes all their credentials and frees the name', async () => {
  const person = await bed.addUser('leaver', {
    roles: [{ at: 'silo', role: 'viewer' }],
    through: 'group',
  })
  const device = await deviceOf(bed, person)
  await person.post('/v1/me/ssh-keys', { name: 'mine', description: '', public_key: 'k' })
  expect((await remove(admin, person.id)).status).toBe(204)
  expect([(await person.get('/v1/me')).status, (await device.get('/v1/me')).status]).toEqual([401, 401])
  const left = await Promise.all(
    (['console_session', 'device_access_token', 'silo_user_password', 'silo_group_membership'] as const).map(
      (table) =>
        bed.db
          .selectFrom(table as 'console_session')
          .select('silo_user_id')
          .where('silo_user_id', '=', person.id)
          .execute(),
    ),
  )
  expect(left.flat()).toEqual([])
  const keys = await bed.db
    .selectFrom('ssh_key')
    .select('time_deleted')
    .where('silo_user_id', '=', person.id)
    .execute()
  expect(keys).toEqual([{ time_deleted: expect.any(Date) }])
  const again = await remove(admin, person.id)
  expect([again.status, again.body.message]).toEqual([404, `not found: silo-user with id "${person.id}"`])
  expect((await create(admin, 'leaver')).status).toBe(201)
})

test('users may delete themselves, and need the old password to set one; others need to administer the silo or the fleet', async () => {
  const person = await bed.addUser('own')
  const other = await bed.signIn('member')
  for (const refused of [
    await setPassword(other, person.id, secret),
    await remove(other, person.id),
    await create(person, 'by-nobody'),
  ])
    expect(refused.status).toBe(403)
  const own = await setPassword(person, person.id, secret)
  expect([own.status, own.body.message]).toEqual([400, 'changing your own password requires the old one'])
  expect([await login('own'), await login('own', 'correct horse')]).toEqual([401, 204])
  expect((await remove(person, person.id)).status).toBe(204)
  expect((await person.get('/v1/me')).status).toBe(401)
})

test('a silo is addressed by name or id, and users belong to one silo', async () => {
  const far = await bed.addUser('someone', { siloId: farId, roles: [{ at: 'silo', role: 'admin' }] })
  const message = async (answer: ReturnType<typeof create>) => (await answer).body.message
  expect(await message(create(admin, 'x', 'nowhere'))).toBe('not found: silo with name "nowhere"')
  // A hidden silo is reported like a missing one.
  expect(await message(create(far, 'x', 'demo'))).toBe('not found: silo with name "demo"')
  expect(await message(remove(admin, far.id))).toBe(`not found: silo-user with id "${far.id}"`)
  expect(await message(setPassword(admin, far.id, secret))).toBe(`not found: silo-user with id "${far.id}"`)
  expect((await create(far, 'theirs', 'far')).status).toBe(201)
  expect((await setPassword(admin, far.id, secret, farId)).status).toBe(204)
  expect((await remove(admin, far.id, 'far')).status).toBe(204)
})

test('silos with external users have no local ones', async () => {
  const id = await bed.addSilo('from-elsewhere')
  await bed.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', id).execute()
  for (const answer of [
    await create(admin, 'x', id),
    await remove(admin, crypto.randomUUID(), id),
    await setPassword(admin, crypto.randomUUID(), secret, id),
  ])
    expect([answer.status, answer.body.message]).toEqual([
      404,
      'not found: identity-provider with name "local"',
    ])
  expect(await login('x', 'x', 'from-elsewhere')).toBe(401)
})
