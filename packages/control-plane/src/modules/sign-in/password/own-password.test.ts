import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { deviceOf } from '../sign-in.fixtures.ts'

let bed: TestBed
beforeAll(async () => {
  bed = await testControlPlane()
})
afterAll(() => bed.stop())

const path = '/ext/v1/me/password'
const old = 'correct horse'
const fresh = 'battery staple'
const changeTo = (who: Pick<Caller, 'post'>, password: string, old_password = old) =>
  who.post(path, { old_password, password })
const login = async (username: string, password: string) =>
  (await bed.anonymous.post('/v1/login/demo/local', { username, password })).status
const isIn = async (who: { get: Caller['get'] }) => (await who.get('/v1/me')).status === 200

test("changing a password ends the user's other sessions and tokens", async () => {
  const person = await bed.addUser('changer')
  const other = await bed.addUser('bystander')
  const elsewhere = await bed.signIn('changer')
  const device = await deviceOf(bed, person)
  expect((await person.get(path)).body).toEqual({ is_set: true })
  expect((await changeTo(person, fresh)).status).toBe(204)
  expect(await Promise.all([person, elsewhere, device, other].map(isIn))).toEqual([true, false, false, true])
  expect([await login('changer', old), await login('changer', fresh)]).toEqual([401, 204])
})

test('a device that changes the password stays signed in', async () => {
  const person = await bed.addUser('by-device')
  const [device, another] = [await deviceOf(bed, person), await deviceOf(bed, person)]
  expect((await changeTo(device, fresh)).status).toBe(204)
  expect(await Promise.all([person, device, another].map(isIn))).toEqual([false, true, false])
})

test.each([
  ['a wrong old password', 'wrong', fresh, /^unsupported value for "old_password": it is not your password$/],
  ['an empty old password', '', fresh, /^unsupported value for "old_password"/],
  [
    'a short one',
    old,
    'short',
    /^unsupported value for "password": a password must have at least 12 characters$/,
  ],
  ['a common one', old, 'password1234', /easy to guess/],
  ['their own name', old, 'refused-1-refused', /easy to guess/],
  ['the old one', old, old, /^unsupported value for "password": it is the current password$/],
  ['one that is too long', old, 'x'.repeat(513), /the password provided was too long/],
])('%s is refused, and ends nothing', async (_, given, wanted, message) => {
  const person = await bed.addUser(`refused-${crypto.randomUUID().slice(0, 6)}`)
  const elsewhere = await bed.signIn((await person.get('/v1/me')).body.display_name)
  const answer = await changeTo(person, wanted, given)
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)])
  expect(await Promise.all([person, elsewhere].map(isIn))).toEqual([true, true])
})

test('guesses of the old password are limited as at sign-in', async () => {
  const person = await bed.addUser('guessed')
  const tries = await Promise.all(Array.from({ length: 15 }, () => changeTo(person, fresh, 'wrong')))
  expect(tries.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    ...Array<number>(10).fill(400),
    ...Array<number>(5).fill(429),
  ])
  // The right one must wait too, as at sign-in.
  expect((await changeTo(person, fresh)).status).toBe(429)
})

test('guesses by which a user confirms who they are count as the same', async () => {
  const person = await bed.addUser('confirming')
  const guess = () => person.post('/ext/v1/me/confirmations', { kind: 'password', password: 'wrong' })
  for (let guesses = 0; guesses < 5; guesses++) await changeTo(person, fresh, 'wrong')
  const tries = await Promise.all(Array.from({ length: 8 }, guess))
  expect(tries.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    ...Array<number>(5).fill(400),
    ...Array<number>(3).fill(429),
  ])
})

test('of several concurrent changes, one succeeds', async () => {
  const person = await bed.addUser('twice')
  const wanted = ['first grey pebble', 'second grey pebble', 'third grey pebble']
  const answers = await Promise.all(wanted.map((password) => changeTo(person, password)))
  const held = wanted.filter((_, index) => answers[index]?.status === 204)
  expect(held).toHaveLength(1)
  expect(await login('twice', held[0] ?? '')).toBe(204)
})

test('users without a password have none to change, and neither do anonymous callers', async () => {
  const person = await bed.addUser('from-elsewhere')
  await bed.db.deleteFrom('silo_user_password').where('silo_user_id', '=', person.id).execute()
  expect((await person.get(path)).body).toEqual({ is_set: false })
  const refused = await changeTo(person, fresh)
  expect([refused.status, refused.body.message]).toEqual([
    404,
    'not found: identity-provider with name "local"',
  ])
  const confirmation = { kind: 'password', password: old }
  const wrong = await person.post('/ext/v1/me/confirmations', confirmation)
  expect([wrong.status, wrong.body.message]).toEqual([400, 'the password is wrong'])
  expect([(await bed.anonymous.get(path)).status, (await changeTo(bed.anonymous, fresh)).status]).toEqual([
    401, 401,
  ])
})

test('a page of another site cannot change a password', async () => {
  const person = await bed.addUser('tricked')
  const body = { old_password: old, password: fresh }
  expect((await person.call('POST', path, body, { origin: 'https://evil.example' })).status).toBe(403)
})
