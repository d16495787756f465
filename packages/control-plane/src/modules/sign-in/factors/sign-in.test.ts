import { afterAll, beforeAll, expect, test } from 'vitest'
import { testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { deviceOf } from '../sign-in.fixtures.ts'
import { afterPassword, cookieIn, factors, signedInBy, withTotp } from './second-factor.fixtures.ts'

let bed: TestBed
/** Fixed unless a test moves it, so that a code stays valid for its step. */
let now = Date.now()
const seal = {
  seal: async (text: string) => `sealed:${btoa(text)}`,
  open: async (text: string) => atob(text.replace('sealed:', '')),
  isCurrent: (text: string) => text.startsWith('sealed:'),
}
beforeAll(async () => {
  bed = await testControlPlane({ environment: { clock: () => new Date(now), seal } })
})
afterAll(() => bed.stop())

const nextStep = () => (now += 30_000)
const person = async (name: string) => {
  const who = await bed.addUser(name)
  const app = await withTotp(who, () => now)
  nextStep()
  return { who, app, name }
}

test('with an app the password opens no session, and then its code does', async () => {
  const { app, name } = await person('ada')
  const { answer, cookie, post } = await afterPassword(bed, name)
  expect(answer.status).toBe(401)
  expect(answer.body).toMatchObject({
    error_code: 'Unauthorized',
    message: 'a second factor is needed',
    details: { second_factor: ['totp', 'recovery_code'] },
  })
  expect(answer.headers.get('set-cookie')).toMatch(
    /^sign_in=[0-9a-f]{40}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=600$/,
  )
  // It is not a session, under any cookie name.
  const secret = cookie.replace('sign_in=', '')
  for (const tried of [cookie, `session=${secret}`])
    expect((await bed.anonymous.call('GET', '/v1/me', undefined, { cookie: tried })).status).toBe(401)
  const opened = await post('totp', { code: await app.codeAt(now) })
  expect(opened.status).toBe(204)
  expect((await signedInBy(bed, opened).get('/v1/me')).body.display_name).toBe(name)
  // The pending sign-in is consumed.
  nextStep()
  expect((await post('totp', { code: await app.codeAt(now) })).status).toBe(401)
})

test('a wrong password reveals neither who has an app nor who exists', async () => {
  const { name } = await person('grace')
  const [wrong, nobody] = [
    await afterPassword(bed, name, { secret: 'wrong' }),
    await afterPassword(bed, 'nobody-at-all', { secret: 'wrong' }),
  ]
  for (const { answer } of [wrong, nobody]) {
    expect([answer.status, answer.body.message]).toEqual([401, 'credentials missing or invalid'])
    expect(answer.body.details).toBe(undefined)
    expect(answer.headers.get('set-cookie')).toBe(null)
  }
})

test('a code is valid once, for any number of concurrent uses', async () => {
  const { app, name } = await person('alan')
  const code = await app.codeAt(now)
  const steps = await Promise.all(Array.from({ length: 4 }, () => afterPassword(bed, name)))
  const answers = await Promise.all(steps.map(({ post }) => post('totp', { code })))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 400, 400, 400])
  expect(answers.find(({ status }) => status === 400)?.body.message).toBe(
    'the code is wrong or was used before',
  )
  // Neither is a code of an earlier step.
  const again = await afterPassword(bed, name)
  expect((await again.post('totp', { code: await app.codeAt(now - 30_000) })).status).toBe(400)
  nextStep()
  expect(
    (await again.post('totp', { code: ` ${(await app.codeAt(now)).replace(/(...)/, '$1-')} ` })).status,
  ).toBe(204)
})

test('one pending sign-in opens one session', async () => {
  const { app, name } = await person('edsger')
  const { post } = await afterPassword(bed, name)
  const answers = await Promise.all(app.recovery.slice(0, 4).map((code) => post('recovery-code', { code })))
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 401, 401, 401])
})

test('a clock that was ahead locks nobody out, and leaves no sign-in pending forever', async () => {
  const { app, name } = await person('barbara')
  const day = 24 * 3600 * 1000
  now += day
  const ahead = await afterPassword(bed, name)
  const waits = await afterPassword(bed, name)
  expect((await ahead.post('totp', { code: await app.codeAt(now) })).status).toBe(204)
  now -= day
  // The number of attempts meanwhile is irrelevant here.
  await bed.db.deleteFrom('attempt').execute()
  expect((await waits.post('totp', { code: await app.codeAt(now) })).status).toBe(401)
  const { post } = await afterPassword(bed, name)
  expect((await post('totp', { code: await app.codeAt(now) })).status).toBe(204)
})

test('a recovery code replaces the app once', async () => {
  const { app, name } = await person('katherine')
  expect(new Set(app.recovery).size).toBe(10)
  for (const code of app.recovery) expect(code).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
  const [code = ''] = app.recovery
  const first = await afterPassword(bed, name)
  // In the form that people type.
  const opened = await first.post('recovery-code', { code: code.toLowerCase().replaceAll('-', ' ') })
  expect(opened.status).toBe(204)
  expect((await signedInBy(bed, opened).get(factors)).body.recovery_codes_left).toBe(9)
  const second = await afterPassword(bed, name)
  expect((await second.post('recovery-code', { code })).status).toBe(400)
  // Another user's code is refused.
  const other = await person('mary')
  const third = await afterPassword(bed, other.name)
  expect((await third.post('recovery-code', { code: app.recovery[1] ?? '' })).status).toBe(400)
})

test('a pending sign-in is valid for ten minutes, for one silo, and until the password changes', async () => {
  const { app, who, name } = await person('john')
  await bed.addSilo('elsewhere')
  const elsewhere = await afterPassword(bed, name)
  const asked = (path: string) =>
    bed.anonymous.call('POST', path, { code: '000000' }, { cookie: elsewhere.cookie })
  expect((await asked('/ext/v1/login/elsewhere/totp')).status).toBe(401)
  now += 601_000
  expect((await elsewhere.post('totp', { code: await app.codeAt(now) })).status).toBe(401)

  const admin = await bed.signIn('admin')
  const set = (mode: object) =>
    admin.post(`/v1/system/identity-providers/local/users/${who.id}/set-password?silo=demo`, mode)
  const changed = await afterPassword(bed, name)
  await set({ mode: 'password', value: 'another horse by far' })
  expect((await changed.post('totp', { code: await app.codeAt(now) })).status).toBe(401)
  const disallowed = await afterPassword(bed, name, { secret: 'another horse by far' })
  expect(disallowed.answer.body.details).toBeDefined()
  await set({ mode: 'login_disallowed' })
  expect((await disallowed.post('recovery-code', { code: app.recovery[0] ?? '' })).status).toBe(401)
})

test('allows ten wrong codes, then one every three minutes, without affecting passwords or other users', async () => {
  const { app, name } = await person('niklaus')
  const { post } = await afterPassword(bed, name)
  const guesses = await Promise.all(Array.from({ length: 14 }, () => post('totp', { code: '000000' })))
  expect(guesses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
    ...Array(10).fill(400),
    ...Array(4).fill(429),
  ])
  // The right code must wait too, and a recovery code counts as an attempt.
  expect((await post('totp', { code: await app.codeAt(now) })).status).toBe(429)
  expect((await post('recovery-code', { code: app.recovery[0] ?? '' })).status).toBe(429)
  expect((await afterPassword(bed, name)).answer.status).toBe(401)
  const other = await person('tony')
  const theirs = await afterPassword(bed, other.name)
  expect((await theirs.post('totp', { code: await other.app.codeAt(now) })).status).toBe(204)
  now += 181_000
  expect((await post('totp', { code: await app.codeAt(now) })).status).toBe(204)
})

test('limits the pending sign-ins of one user', async () => {
  const { who, name } = await person('dennis')
  for (let n = 0; n < 25; n++) await afterPassword(bed, name)
  const rows = await bed.db
    .selectFrom('pending_sign_in')
    .select('secret_hash')
    .where('silo_user_id', '=', who.id)
    .execute()
  expect(rows.length).toBe(20)
})

test('devices keep their tokens, and cannot change credentials', async () => {
  const { who } = await person('ken')
  const device = await deviceOf(bed, who)
  expect((await device.get('/v1/me')).status).toBe(200)
  for (const path of ['totp/set-up', 'recovery-codes', 'confirmations/passkey-challenge']) {
    const refused = await device.post(`/ext/v1/me/${path}`)
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'access tokens cannot change second factors',
    ])
  }
})

test('the audit log names who added, used and removed what', async () => {
  const { who, app, name } = await person('margaret')
  const { post } = await afterPassword(bed, name)
  await post('totp', { code: '000000' })
  await post('recovery-code', { code: app.recovery[0] ?? '' })
  await who.call('DELETE', '/ext/v1/me/totp')
  const records = await bed.db
    .selectFrom('audit')
    .select(['operation_id', 'http_status_code', 'actor'])
    .orderBy('time_started')
    .orderBy('time_completed')
    .execute()
  const own = records.filter(({ actor }) => actor.kind === 'silo_user' && actor.silo_user_id === who.id)
  const audited = own.map((record) => `${record.operation_id} ${record.http_status_code}`).sort()
  expect(audited).toEqual([
    'login_recovery_code 204',
    'login_totp 400',
    'totp_create 201',
    'totp_delete 204',
    'totp_set_up 201',
  ])
  const first = records.findLast((record) => record.operation_id === 'login_local')
  expect([first?.http_status_code, first?.actor]).toEqual([401, { kind: 'unauthenticated' }])
})

test('no credential is stored in clear text', async () => {
  const { app, name } = await person('frances')
  const { cookie, post } = await afterPassword(bed, name)
  const code = await app.codeAt(now)
  const session = cookieIn(await post('totp', { code })).replace('session=', '')
  const tables = [
    'totp',
    'totp_set_up',
    'recovery_code',
    'pending_sign_in',
    'change',
    'audit',
    'job',
  ] as const
  const rows = await Promise.all(
    tables.map((table) =>
      bed.db
        .selectFrom(table as 'audit')
        .selectAll()
        .execute(),
    ),
  )
  const everything = JSON.stringify([rows, bed.logged])
  expect(rows[0]?.length).toBeGreaterThan(0)
  for (const secret of [app.secret, cookie.replace('sign_in=', ''), session, ...app.recovery])
    for (const spelled of [secret, secret.replaceAll('-', '')])
      expect(everything.includes(spelled), spelled).toBe(false)
})
