import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Answer,
  type Caller,
  testControlPlane,
  type TestBed,
} from '@gantry/control-plane/testing/control-plane'
import { deviceOf } from '../sign-in.fixtures.ts'
import { afterPassword, signedInBy, withTotp } from '../factors/second-factor.fixtures.ts'

let bed: TestBed
let admin: Caller
let farId: string
/** Fixed, so that a code stays valid for its step. */
let now = Date.now()
beforeAll(async () => {
  bed = await testControlPlane({ environment: { clock: () => new Date(now) } })
  admin = await bed.signIn('admin')
  farId = await bed.addSilo('far')
})
afterAll(() => bed.stop())

const own = 'battery staple'
const invite = (external_id: string, silo = 'demo', who: Caller = admin) =>
  who.post(`/ext/v1/system/silos/${silo}/people`, { external_id })
const reset = (id: string, silo = 'demo', who: Caller = admin) =>
  who.post(`/ext/v1/users/${id}/one-time-password?silo=${silo}`)
const said = ({ status, body }: Answer) => [status, body?.message, body?.details]
const needsNewPassword = [401, 'a new password is needed', { new_password: true }]
const isIn = async (who: { get: Caller['get'] }) => (await who.get('/v1/me')).status === 200

test('an invited user can use the one-time password only to replace it', async () => {
  const made = await invite('invited')
  expect([made.status, made.body]).toEqual([
    201,
    {
      user: expect.objectContaining({ display_name: 'invited' }),
      password: expect.stringMatching(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/),
    },
  ])
  const { password } = made.body
  const { answer, cookie, post } = await afterPassword(bed, 'invited', { secret: password })
  expect(said(answer)).toEqual(needsNewPassword)
  expect((await bed.anonymous.call('GET', '/v1/me', undefined, { cookie })).status).toBe(401)
  const opened = await post('new-password', { password: own })
  expect(opened.status).toBe(204)
  expect((await signedInBy(bed, opened).get('/v1/me')).body.display_name).toBe('invited')
  // The one-time password and the pending sign-in are consumed; the new password is permanent.
  expect((await afterPassword(bed, 'invited', { secret: password })).answer.status).toBe(401)
  expect((await post('new-password', { password: 'another staple' })).status).toBe(401)
  expect((await afterPassword(bed, 'invited', { secret: own })).answer.status).toBe(204)
})

test.each([
  ['a short one', 'short', /at least 12 characters/],
  ['a common one', 'password1234', /easy to guess/],
  ['the one-time password', undefined, /^unsupported value for "password": it is the one-time password$/],
])('%s is refused, and the sign-in stays pending', async (_, wanted, message) => {
  const name = `picky-${crypto.randomUUID().slice(0, 6)}`
  const { password } = (await invite(name)).body
  const { post } = await afterPassword(bed, name, { secret: password })
  const refused = await post('new-password', { password: wanted ?? password })
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(message)])
  expect((await post('new-password', { password: own })).status).toBe(204)
})

test('a reset ends sessions and tokens, and the user replaces the new password', async () => {
  const person = await bed.addUser('reset-me')
  const device = await deviceOf(bed, person)
  const answer = await reset(person.id)
  expect(answer.status).toBe(201)
  expect(await Promise.all([person, device].map(isIn))).toEqual([false, false])
  const { post, answer: waits } = await afterPassword(bed, 'reset-me', { secret: answer.body.password })
  expect(said(waits)).toEqual(needsNewPassword)
  expect((await post('new-password', { password: own })).status).toBe(204)
})

test('a later reset ends a sign-in pending a new password', async () => {
  const made = (await invite('twice-reset')).body
  const { post } = await afterPassword(bed, 'twice-reset', { secret: made.password })
  expect((await reset(made.user.id)).status).toBe(201)
  const late = await post('new-password', { password: own })
  expect([late.status, late.body.message]).toEqual([401, 'the sign-in has ended or was never started'])
  expect((await afterPassword(bed, 'twice-reset', { secret: own })).answer.status).toBe(401)
})

test('a user with a second factor presents it before replacing the password', async () => {
  const person = await bed.addUser('with-app')
  const app = await withTotp(person, () => now)
  const { password } = (await reset(person.id)).body
  const { answer, post } = await afterPassword(bed, 'with-app', { secret: password })
  expect(said(answer)).toEqual([
    401,
    'a second factor is needed',
    { second_factor: ['totp', 'recovery_code'] },
  ])
  expect((await post('new-password', { password: own })).status).toBe(401)
  now += 30_000
  const waits = await post('totp', { code: await app.codeAt(now) })
  expect(said(waits)).toEqual(needsNewPassword)
  const goOn = signedInBy(bed, waits)
  // The pending sign-in does not allow another attempt at a factor.
  now += 30_000
  expect((await goOn.post('/ext/v1/login/demo/totp', { code: await app.codeAt(now) })).status).toBe(401)
  expect((await goOn.post('/ext/v1/login/demo/new-password', { password: own })).status).toBe(204)
})

test('a silo that requires a second factor asks for it after the new password', async () => {
  const siloId = await bed.addSilo('strict')
  const chief = await bed.addUser('chief', { siloId, roles: [{ at: 'silo', role: 'admin' }] })
  const { password } = (await invite('strict-one', 'strict', chief)).body
  expect((await chief.call('PUT', '/ext/v1/auth-settings', { second_factor: 'required' })).status).toBe(200)
  const first = await afterPassword(bed, 'strict-one', { silo: 'strict', secret: password })
  expect(said(first.answer)).toEqual(needsNewPassword)
  const next = await first.post('new-password', { password: own })
  expect(said(next)).toEqual([401, 'a second factor must be set up', { second_factor_set_up: ['totp'] }])
  const setUp = await signedInBy(bed, next).post('/ext/v1/login/strict/totp-set-up')
  expect(setUp.status).toBe(201)
})

test('of several concurrent new passwords, one succeeds', async () => {
  const { password } = (await invite('racing')).body
  const { post } = await afterPassword(bed, 'racing', { secret: password })
  const wanted = ['first grey pebble', 'second grey pebble', 'third grey pebble']
  const answers = await Promise.all(wanted.map((one) => post('new-password', { password: one })))
  const held = wanted.filter((_, index) => answers[index]?.status === 204)
  expect(held).toHaveLength(1)
  expect((await afterPassword(bed, 'racing', { secret: held[0] ?? '' })).answer.status).toBe(204)
})

test('of several operators who invite the same user, one succeeds', async () => {
  const answers = await Promise.all(Array.from({ length: 4 }, () => invite('wanted')))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 400, 400, 400])
})

test('existing names, other types of silos, and oneself are refused', async () => {
  expect((await invite('viewer')).body.message).toBe('already exists: silo-user "viewer"')
  expect((await invite('new-one', 'far')).status).toBe(201)
  await bed.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', farId).execute()
  const noLocal = 'not found: identity-provider with name "local"'
  expect((await invite('another-one', 'far')).body.message).toBe(noLocal)
  const self = (await admin.get('/v1/me')).body.id
  expect((await reset(self)).body.message).toBe('changing your own password requires the old one')
  expect((await reset(crypto.randomUUID())).status).toBe(404)
})

test('no password reaches the audit log or the change stream', async () => {
  const { user, password } = (await invite('discreet')).body
  const again = (await reset(user.id)).body.password
  const audit = await bed.db.selectFrom('audit').selectAll().execute()
  const changes = await bed.db.selectFrom('change').selectAll().execute()
  const text = JSON.stringify([audit, changes], (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  for (const secret of [password, again]) expect(text).not.toContain(secret)
})
