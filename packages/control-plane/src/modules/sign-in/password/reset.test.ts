import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { beginDevice, deviceOf } from '../sign-in.fixtures.ts'

let bed: TestBed
let admin: Caller
/** Set by a test that delays what follows a password check. */
let checked: (() => Promise<void>) | undefined
const passwords = {
  hash: async (text: string) => `plain:${text}`,
  verify: async (hash: string, text: string) => {
    const matches = hash === `plain:${text}`
    await checked?.()
    return matches
  },
}
beforeAll(async () => {
  bed = await testControlPlane({ environment: { passwords } })
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const reset = (id: string, password: object) =>
  admin.post(`/v1/system/identity-providers/local/users/${id}/set-password?silo=demo`, password)
const isIn = async (who: { get: Caller['get'] }) => (await who.get('/v1/me')).status === 200
const sessionsOf = (id: string) =>
  bed.db.selectFrom('console_session').select('id').where('silo_user_id', '=', id).execute()
const tokensOf = (id: string) =>
  bed.db.selectFrom('device_access_token').select('id').where('silo_user_id', '=', id).execute()

const resets = [
  ['a new password', { mode: 'password', value: 'battery staple' }],
  ['none', { mode: 'login_disallowed' }],
] as const

test.each(resets)("a reset to %s ends that user's sessions and tokens only", async (_, password) => {
  const person = await bed.addUser(`reset-${password.mode.slice(0, 4)}`)
  const other = await bed.addUser(`other-${password.mode.slice(0, 4)}`)
  const devices = [await deviceOf(bed, person), await deviceOf(bed, other)]
  expect((await reset(person.id, password)).status).toBe(204)
  expect(await Promise.all([person, other, ...devices].map(isIn))).toEqual([false, true, false, true])
  expect([await sessionsOf(person.id), await tokensOf(person.id)]).toEqual([[], []])
})

test.each(resets)('a sign-in checked before a reset to %s opens no session after it', async (_, password) => {
  const name = `late-${password.mode.slice(0, 4)}`
  const person = await bed.addUser(name)
  let goOn = (): void => {}
  const reached = new Promise<void>((resolve) => {
    checked = () => {
      resolve()
      return new Promise((go) => (goOn = go))
    }
  })
  const late = bed.anonymous.post('/v1/login/demo/local', { username: name, password: 'correct horse' })
  await reached
  checked = undefined
  expect((await reset(person.id, password)).status).toBe(204)
  goOn()
  expect((await late).status).toBe(401)
  expect(await sessionsOf(person.id)).toEqual([])
})

test('of sign-ins and devices concurrent with a reset, none remains', async () => {
  const person = await bed.addUser('racing')
  const codes = await Promise.all(Array.from({ length: 4 }, () => beginDevice(bed)))
  const answers = await Promise.all([
    ...Array.from({ length: 4 }, () => bed.signIn('racing').catch(() => undefined)),
    ...codes.map(({ body }) => person.post('/device/confirm', { user_code: body.user_code })),
    reset(person.id, { mode: 'password', value: 'battery staple' }),
  ])
  expect(answers.at(-1)).toMatchObject({ status: 204 })
  expect([await sessionsOf(person.id), await tokensOf(person.id)]).toEqual([[], []])
})
