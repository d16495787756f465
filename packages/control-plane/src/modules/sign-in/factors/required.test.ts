import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { afterPassword, factors, signedInBy, withTotp } from './second-factor.fixtures.ts'
import { totpCode, totpStepAt } from './totp.ts'

let bed: TestBed
let boss: Caller
let now = Date.now()
beforeAll(async () => {
  bed = await testControlPlane({ environment: { clock: () => new Date(now) } })
  const siloId = await bed.addSilo('strict')
  boss = await bed.addUser('boss', { siloId, roles: [{ at: 'silo', role: 'admin' }] })
})
afterAll(() => bed.stop())

const settings = '/ext/v1/auth-settings'
const demand = (rule: string, headers = {}) => boss.call('PUT', settings, { second_factor: rule }, headers)
const strict = { silo: 'strict' }
const siloIdOf = async (name: string) =>
  (await bed.db.selectFrom('silo').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
let people = 0
/** A user of the strict silo without a factor, signed in before the rule. */
async function somebody() {
  await demand('optional')
  const name = `person-${++people}`
  const who = await bed.addUser(name, { siloId: await siloIdOf('strict') })
  return { who, name }
}
const codeOf = (secret: string) => totpCode(secret, totpStepAt(new Date(now)))

test('administrators of the silo change the rule, one at a time, and its users see it', async () => {
  const member = await bed.addUser('onlooker', { siloId: await siloIdOf('strict') })
  expect((await member.get(settings)).body).toEqual({ second_factor: 'optional' })
  expect((await member.call('PUT', settings, { second_factor: 'required' })).status).toBe(403)
  const before = (await boss.get(settings)).headers.get('etag') ?? ''
  const answers = await Promise.all(
    ['required', 'optional'].map((rule) => demand(rule, { 'if-match': before })),
  )
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 412])
  expect((await demand('perhaps')).status).toBe(400)
  // Other settings of the silo stay unchanged, and vice versa.
  await boss.call('PUT', '/v1/auth-settings', { device_token_max_ttl_seconds: 60 })
  await demand('required')
  expect((await boss.get('/v1/auth-settings')).body.device_token_max_ttl_seconds).toBe(60)
  await boss.call('PUT', '/v1/auth-settings', { device_token_max_ttl_seconds: null })
  expect((await member.get(settings)).body).toEqual({ second_factor: 'required' })
  expect((await member.get(factors)).body.is_required).toBe(true)
  // The rule applies to this silo only.
  expect((await (await bed.signIn('viewer')).get(settings)).body).toEqual({ second_factor: 'optional' })
})

test('a user without a factor must set one up before a session opens', async () => {
  const { who, name } = await somebody()
  await demand('required')
  // Existing sessions continue.
  expect((await who.get('/v1/me')).status).toBe(200)
  const { answer, cookie, post } = await afterPassword(bed, name, strict)
  expect([answer.status, answer.body.details]).toEqual([401, { second_factor_set_up: ['totp'] }])
  expect((await bed.anonymous.call('GET', '/v1/me', undefined, { cookie })).status).toBe(401)
  // There is nothing yet to complete the sign-in with.
  expect((await post('totp', { code: '000000' })).status).toBe(400)
  expect((await post('recovery-code', { code: 'A'.repeat(16) })).status).toBe(400)
  expect((await post('totp-set-up/confirm', { code: '000000' })).status).toBe(400)
  const { secret, uri } = (await post('totp-set-up')).body
  expect(uri).toContain(`secret=${secret}`)
  expect((await post('totp-set-up/confirm', { code: '000000' })).status).toBe(400)
  const done = await post('totp-set-up/confirm', { code: await codeOf(secret) })
  expect([done.status, done.body.recovery_codes.length]).toEqual([201, 10])
  const me = signedInBy(bed, done)
  expect((await me.get(factors)).body).toMatchObject({ recovery_codes_left: 10, is_required: true })
  // The last factor stays as long as the silo requires one.
  const kept = await me.call('DELETE', '/ext/v1/me/totp')
  expect([kept.status, kept.body.message]).toEqual([400, 'your silo requires a second factor'])
  await demand('optional')
  expect((await me.call('DELETE', '/ext/v1/me/totp')).status).toBe(204)
  expect((await me.get(factors)).body).toMatchObject({ totp: null, recovery_codes_left: 0 })
})

test('the password alone adds no factor for a user who has one', async () => {
  const { who, name } = await somebody()
  await demand('required')
  const [first, second] = [await afterPassword(bed, name, strict), await afterPassword(bed, name, strict)]
  const begun = (await second.post('totp-set-up')).body.secret
  const app = await withTotp(who, () => now)
  expect((await first.post('totp-set-up')).status).toBe(401)
  expect((await second.post('totp-set-up/confirm', { code: await codeOf(begun) })).status).toBe(401)
  now += 30_000
  expect((await first.post('totp', { code: await app.codeAt(now) })).status).toBe(204)
})

test('two concurrent set-ups end with one factor and one session', async () => {
  const { name } = await somebody()
  await demand('required')
  const steps = [await afterPassword(bed, name, strict), await afterPassword(bed, name, strict)]
  const { secret } = (await steps[0]?.post('totp-set-up'))?.body ?? {}
  const code = await codeOf(secret)
  const answers = await Promise.all(steps.map(({ post }) => post('totp-set-up/confirm', { code })))
  const statuses = answers.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ headers }) => headers.get('set-cookie'))).toHaveLength(1)
})

test('a new app replaces the old one only after it has shown a code', async () => {
  const { who } = await somebody()
  const old = await withTotp(who, () => now)
  const { secret } = (await who.post('/ext/v1/me/totp/set-up')).body
  const wrong = await who.post('/ext/v1/me/totp', { code: await old.codeAt(now) })
  expect(wrong.status).toBe(400)
  const confirmBy = async (code: string) => who.post('/ext/v1/me/confirmations', { kind: 'totp', code })
  now += 30_000
  expect((await confirmBy(await old.codeAt(now))).status).toBe(204)
  const made = await who.post('/ext/v1/me/totp', { code: await codeOf(secret) })
  // It is not the first, so the recovery codes stay valid.
  expect([made.status, made.body]).toEqual([201, { recovery_codes: null }])
  now += 30_000
  expect((await confirmBy(await old.codeAt(now))).status).toBe(400)
  expect((await confirmBy(await codeOf(secret))).status).toBe(204)
  // An expired set-up is refused.
  const late = (await who.post('/ext/v1/me/totp/set-up')).body.secret
  now += 901_000
  await who.post('/ext/v1/me/confirmations', { kind: 'password', password: 'correct horse' })
  const refused = await who.post('/ext/v1/me/totp', { code: await codeOf(late) })
  expect([refused.status, refused.body.message]).toEqual([400, 'no authenticator app is being set up'])
})

test('an unattended browser changes nothing: after ten minutes the password or a code is required', async () => {
  const { who } = await somebody()
  const app = await withTotp(who, () => now)
  const changes: [string, string, unknown?][] = [
    ['POST', '/ext/v1/me/totp/set-up'],
    ['POST', '/ext/v1/me/totp', { code: '000000' }],
    ['DELETE', '/ext/v1/me/totp'],
    ['POST', '/ext/v1/me/recovery-codes'],
    ['POST', '/ext/v1/me/passkeys/set-up'],
    ['DELETE', `/ext/v1/me/passkeys/${crypto.randomUUID()}`],
  ]
  const tryAll = async () => {
    const statuses: number[] = []
    for (const change of changes) statuses.push((await who.call(...change)).status)
    return statuses
  }
  expect((await who.get(factors)).body.needs_confirmation).toBe(false)
  now += 601_000
  expect((await who.get(factors)).body.needs_confirmation).toBe(true)
  expect(await tryAll()).toEqual(changes.map(() => 403))
  const refused = await who.call('DELETE', '/ext/v1/me/totp')
  expect(refused.body).toMatchObject({
    message: 'confirm your identity first',
    details: { needs_confirmation: true },
  })
  const confirm = (body: unknown) => who.post('/ext/v1/me/confirmations', body)
  const wrong = await confirm({ kind: 'password', password: 'wrong' })
  // A 401 would mean that the session has ended.
  expect([wrong.status, wrong.body.message]).toEqual([400, 'the password is wrong'])
  expect((await confirm({ kind: 'totp', code: '000000' })).status).toBe(400)
  expect((await who.get(factors)).body.needs_confirmation).toBe(true)
  const code = await app.codeAt(now)
  expect((await confirm({ kind: 'totp', code })).status).toBe(204)
  expect((await confirm({ kind: 'totp', code })).status).toBe(400)
  expect((await who.get(factors)).body.needs_confirmation).toBe(false)
  now += 601_000
  expect((await confirm({ kind: 'password', password: 'correct horse' })).status).toBe(204)
  const renewed = await who.post('/ext/v1/me/recovery-codes')
  expect(renewed.status).toBe(201)
  expect(renewed.body.codes).toHaveLength(10)
  expect(renewed.body.codes.filter((each: string) => app.recovery.includes(each))).toEqual([])
})

test('recovery codes need a factor to recover', async () => {
  const { who } = await somebody()
  expect((await who.post('/ext/v1/me/recovery-codes')).status).toBe(400)
  await withTotp(who, () => now)
  expect((await who.call('DELETE', '/ext/v1/me/totp')).status).toBe(204)
  expect((await who.get(factors)).body.recovery_codes_left).toBe(0)
  expect((await who.call('DELETE', '/ext/v1/me/totp')).status).toBe(404)
})

test('an administrator resets lost factors, which signs the user out everywhere', async () => {
  const { who, name } = await somebody()
  await withTotp(who, () => now)
  const id = (await who.get('/v1/me')).body.id
  const path = `/ext/v1/users/${id}/second-factors`
  const waiting = await afterPassword(bed, name, strict)
  const { who: colleague } = await somebody()
  const far = await bed.signIn('member')
  expect((await colleague.call('DELETE', path)).status).toBe(403)
  expect((await far.call('DELETE', path)).status).toBe(404)
  expect((await far.get(path)).status).toBe(404)
  expect((await boss.get(path)).body).toEqual({ passkeys: 0, totp: true, recovery_codes_left: 10 })
  expect((await boss.call('DELETE', path)).status).toBe(204)
  expect((await boss.get(path)).body).toEqual({ passkeys: 0, totp: false, recovery_codes_left: 0 })
  expect((await who.get('/v1/me')).status).toBe(401)
  expect((await waiting.post('totp', { code: '000000' })).status).toBe(401)
  // The password suffices again, if the silo requires no more.
  expect((await afterPassword(bed, name, strict)).answer.status).toBe(204)
})

test('nobody resets their own factors without confirming', async () => {
  const { who } = await somebody()
  await withTotp(who, () => now)
  const path = `/ext/v1/users/${(await who.get('/v1/me')).body.id}/second-factors`
  now += 601_000
  expect((await who.call('DELETE', path)).status).toBe(403)
  expect((await who.get(factors)).body.totp).not.toBe(null)
})

test('a silo with an identity provider leaves second factors to it', async () => {
  const siloId = await bed.addSilo('federated')
  const who = await bed.addUser('federate', { siloId, roles: [{ at: 'silo', role: 'admin' }] })
  await bed.db.updateTable('silo').set({ identity_mode: 'saml_jit' }).where('id', '=', siloId).execute()
  expect((await who.get(factors)).body.kinds).toEqual([])
  const refused = await who.call('PUT', settings, { second_factor: 'required' })
  expect([refused.status, refused.body.message]).toEqual([400, 'this silo has no local users'])
})

test('without a host name there are no passkeys, and the reason is given', async () => {
  const viewer = await bed.signIn('viewer')
  expect((await viewer.get(factors)).body.kinds).toEqual(['totp'])
  const refused = await viewer.post('/ext/v1/me/passkeys/set-up')
  expect([refused.status, refused.body.message]).toEqual([400, 'passkeys cannot be used here'])
  expect(refused.body.help).toContain('host name')
})
