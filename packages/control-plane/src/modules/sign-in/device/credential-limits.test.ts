import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultSettings } from '@gantry/control-plane/settings'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { beginDevice, deviceOf } from '../sign-in.fixtures.ts'

const sessionsMost = 3
const tokensMost = 2

let bed: TestBed
beforeAll(async () => {
  const limits = {
    ...defaultSettings.limits,
    sessions_per_person: sessionsMost,
    tokens_per_person: tokensMost,
  }
  bed = await testControlPlane({ environment: { settings: { ...defaultSettings, limits } } })
})
afterAll(() => bed.stop())

const minutes = (count: number): number => count * 60_000
const alive = (...people: Pick<Caller, 'get'>[]) =>
  Promise.all(people.map(async (who) => (await who.get('/v1/me')).status === 200))
const kept = async (table: 'console_session' | 'device_access_token', person: { id: string }) =>
  (
    await bed.db
      .selectFrom(table as 'console_session')
      .select('id')
      .where('silo_user_id', '=', person.id)
      .execute()
  ).length

test('a sign-in at the limit ends the session unused for longest', async () => {
  const first = await bed.addUser('forgetful')
  bed.pass(minutes(5))
  const second = await bed.signIn('forgetful')
  bed.pass(minutes(5))
  const third = await bed.signIn('forgetful')
  const other = await bed.addUser('neighbour')
  bed.pass(minutes(5))
  // The oldest is in use, so the second has been unused for longest.
  expect(await alive(first)).toEqual([true])
  const stream = await bed.follow(third)
  const fourth = await bed.signIn('forgetful')
  expect(await alive(first, second, third, fourth, other)).toEqual([true, false, true, true, true])
  expect(await kept('console_session', first)).toBe(sessionsMost)
  stream.close()
})

test('concurrent sign-ins of one user never exceed the limit', async () => {
  const person = await bed.addUser('crowd')
  const others = await Promise.all(Array.from({ length: 12 }, () => bed.signIn('crowd')))
  expect(await kept('console_session', person)).toBe(sessionsMost)
  expect((await alive(person, ...others)).filter(Boolean)).toHaveLength(sessionsMost)
})

test('a token beyond the limit is refused with a reason, and its code works once one was deleted', async () => {
  const person = await bed.addUser('collector')
  const [one] = [await deviceOf(bed, person), await deviceOf(bed, person)]
  const { user_code } = (await beginDevice(bed)).body
  const refused = await person.post('/device/confirm', { user_code })
  expect([refused.status, refused.body.error_code, refused.body.message, refused.body.help]).toEqual([
    507,
    'InsufficientCapacity',
    'Insufficient capacity: the user already has the maximum of 2 access tokens',
    'Delete some first, or ask the operator to raise the setting limits.tokens_per_person.',
  ])
  expect(await alive(one)).toEqual([true])
  const neighbour = await bed.addUser('next-door')
  expect(await alive(await deviceOf(bed, neighbour))).toEqual([true])
  expect((await person.call('DELETE', `/v1/me/access-tokens/${one.tokenId}`)).status).toBe(204)
  expect((await person.post('/device/confirm', { user_code })).status).toBe(204)
  expect(await kept('device_access_token', person)).toBe(tokensMost)
})

test('of many concurrent approvals, as many succeed as there are places', async () => {
  const person = await bed.addUser('hurried')
  const codes = await Promise.all(Array.from({ length: 6 }, () => beginDevice(bed)))
  const answers = await Promise.all(
    codes.map(({ body }) => person.post('/device/confirm', { user_code: body.user_code })),
  )
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 204, 507, 507, 507, 507])
  expect(await kept('device_access_token', person)).toBe(tokensMost)
})

test('expired tokens take no place, and rows never exceed the limit', async () => {
  const person = await bed.addUser('short-lived')
  for (let round = 0; round < 3; round += 1) {
    await deviceOf(bed, person, { ttl_seconds: '60' })
    bed.pass(minutes(2))
  }
  const late = (await beginDevice(bed)).body
  bed.pass(minutes(6))
  const expired = await person.post('/device/confirm', { user_code: late.user_code })
  expect([expired.status, expired.body.message]).toEqual([400, 'device authorization request expired'])
  expect(await kept('device_access_token', person)).toBe(tokensMost)
  expect((await person.get('/v1/me/access-tokens')).body.items).toEqual([])
  expect(await alive(await deviceOf(bed, person))).toEqual([true])
})
