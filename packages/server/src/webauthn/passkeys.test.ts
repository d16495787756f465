import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import {
  afterPassword,
  cookieIn,
  factors,
  signedInBy,
  withTotp,
} from '@gantry/control-plane/modules/sign-in/factors/second-factor.fixtures'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Fault, SoftwareAuthenticator } from '../testing/software-authenticator.ts'
import { libraryWebAuthn } from './webauthn.ts'

const origin = 'http://localhost'
let bed: TestBed
let now = Date.now()
beforeAll(async () => {
  bed = await testControlPlane({
    environment: { webauthn: libraryWebAuthn, clock: () => new Date(now) },
  })
})
afterAll(() => bed.stop())

const setUp = '/ext/v1/me/passkeys/set-up'
const passkeys = '/ext/v1/me/passkeys'
const login = (path: string, silo = 'demo') => `/ext/v1/login/${silo}/${path}`
let people = 0

async function makeFor(who: Caller, fault: Fault = {}, name = 'laptop') {
  const authenticator = new SoftwareAuthenticator(origin)
  const options = (await who.post(setUp)).body
  const body = await authenticator.make(options, name, fault)
  return { authenticator, options, body, answer: await who.post(passkeys, body) }
}

async function withPasskey() {
  const name = `holder-${++people}`
  const who = await bed.addUser(name)
  const { authenticator, answer } = await makeFor(who)
  expect([answer.status, answer.body?.recovery_codes?.length]).toEqual([201, 10])
  return { who, name, authenticator }
}

const challenge = async (use: 'sign_in' | 'second_factor', cookie = '') =>
  bed.anonymous.call('POST', login('passkey-challenge'), { use }, cookie ? { cookie } : {})

async function signInBy(authenticator: SoftwareAuthenticator, fault: Fault = {}) {
  const options = (await challenge('sign_in')).body
  return bed.anonymous.post(login('passkey'), await authenticator.use(options, fault))
}

test('a user creates a passkey and signs in with nothing else', async () => {
  const { who, name, authenticator } = await withPasskey()
  const listed = (await who.get(factors)).body
  expect(listed.kinds).toEqual(['passkey', 'totp'])
  expect(listed.passkeys).toEqual([
    {
      id: expect.any(String),
      name: 'laptop',
      rp_id: 'localhost',
      time_created: expect.any(String),
      time_last_used: null,
    },
  ])
  const options = (await challenge('sign_in')).body
  // No one is named: the existing passkeys are not revealed.
  expect(options).toMatchObject({ rp_id: 'localhost', allow: [] })
  const opened = await bed.anonymous.post(login('passkey'), await authenticator.use(options))
  expect(opened.status).toBe(204)
  const me = signedInBy(bed, opened)
  expect((await me.get('/v1/me')).body.display_name).toBe(name)
  expect((await me.get(factors)).body.passkeys[0].time_last_used).not.toBe(null)
})

test("after a password only that user's passkeys are accepted", async () => {
  const { name, authenticator } = await withPasskey()
  const other = await withPasskey()
  const { answer, cookie, post } = await afterPassword(bed, name)
  expect(answer.body.details).toEqual({ second_factor: ['passkey', 'recovery_code'] })
  const ask = async () => (await challenge('second_factor', cookie)).body
  const options = await ask()
  expect(options.allow).toEqual([{ id: authenticator.id, transports: ['internal'] }])
  expect((await post('passkey', await other.authenticator.use(options))).status).toBe(400)
  // Consumed by the attempt.
  expect((await post('passkey', await authenticator.use(options))).status).toBe(400)
  // A challenge issued after a password is useless without that sign-in.
  const alone = await ask()
  expect((await bed.anonymous.post(login('passkey'), await authenticator.use(alone))).status).toBe(401)
  const opened = await post('passkey', await authenticator.use(await ask()))
  expect(opened.status).toBe(204)
  expect(cookieIn(opened)).toMatch(/^session=/)
})

describe('an invalid response opens no session', () => {
  test.each<[string, Fault]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'http://localhost:8080' }],
    ['for another domain', { rp_id: 'evil.example' }],
    ['to an unknown challenge', { challenge: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' }],
    ['made as a new passkey', { type: 'webauthn.create' }],
    ['without user presence', { flags: 4 }],
    ['without user verification', { flags: 1 }],
  ])('%s', async (_what, fault) => {
    const { authenticator } = await withPasskey()
    const refused = await signInBy(authenticator, fault)
    expect([refused.status, refused.body.message]).toEqual([400, 'the passkey was not accepted'])
    expect(refused.headers.get('set-cookie')).toBe(null)
    expect((await signInBy(authenticator)).status).toBe(204)
  })

  test('with a signature of other data, or by another key', async () => {
    const { authenticator } = await withPasskey()
    const options = (await challenge('sign_in')).body
    const used = await authenticator.use(options)
    const elsewhere = new SoftwareAuthenticator(origin)
    await elsewhere.make({ ...options, user_handle: authenticator.userHandle })
    const forged = { ...(await elsewhere.use(options)), credential_id: authenticator.id }
    for (const body of [
      forged,
      { ...used, signature: 'AAAA' },
      { ...used, user_handle: 'AAAA' },
      { ...used, client_data: 'AAAA' },
    ]) {
      const again = (await challenge('sign_in')).body
      const fresh =
        body === forged ? { ...(await elsewhere.use(again)), credential_id: authenticator.id } : body
      expect((await bed.anonymous.post(login('passkey'), fresh)).status).toBe(400)
    }
  })

  test('to a challenge that is expired, used, or for another purpose', async () => {
    const { who, authenticator } = await withPasskey()
    const late = (await challenge('sign_in')).body
    now += 301_000
    expect((await bed.anonymous.post(login('passkey'), await authenticator.use(late))).status).toBe(400)
    const options = (await challenge('sign_in')).body
    const body = await authenticator.use(options)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => bed.anonymous.post(login('passkey'), body)),
    )
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([204, 400, 400, 400])
    const confirming = (await who.post('/ext/v1/me/confirmations/passkey-challenge')).body
    expect((await bed.anonymous.post(login('passkey'), await authenticator.use(confirming))).status).toBe(400)
  })

  test('from a copy with a lower counter', async () => {
    const { authenticator } = await withPasskey()
    expect((await signInBy(authenticator, { count: 7 })).status).toBe(204)
    expect((await signInBy(authenticator, { count: 7 })).status).toBe(400)
    expect((await signInBy(authenticator, { count: 6 })).status).toBe(400)
    expect((await signInBy(authenticator, { count: 8 })).status).toBe(204)
  })
})

test("a passkey opens only its user's silo, and none for users who may not sign in", async () => {
  const { who, authenticator } = await withPasskey()
  await bed.addSilo(`other-${people}`)
  const options = (await challenge('sign_in')).body
  const elsewhere = login('passkey', `other-${people}`)
  expect((await bed.anonymous.post(elsewhere, await authenticator.use(options))).status).toBe(400)
  const id = (await who.get('/v1/me')).body.id
  const admin = await bed.signIn('admin')
  const password = `/v1/system/identity-providers/local/users/${id}/set-password?silo=demo`
  await admin.post(password, { mode: 'login_disallowed' })
  expect((await signInBy(authenticator)).status).toBe(401)
  await admin.post(password, { mode: 'password', value: 'correct horse battery' })
  expect((await signInBy(authenticator)).status).toBe(204)
})

describe('a new passkey is refused', () => {
  test.each<[string, Fault]>([
    ['of another site', { origin: 'https://evil.example' }],
    ['for another domain', { rp_id: 'evil.example' }],
    ['to an unknown challenge', { challenge: 'AAAA' }],
    ['that was not unlocked', { flags: 1 }],
    ['of an algorithm that was not offered', { algorithm: -35 }],
    ['with an unrequested attestation', { format: 'android-safetynet' }],
    ['made as a signature', { type: 'webauthn.get' }],
  ])('%s', async (_what, fault) => {
    const who = await bed.addUser(`maker-${++people}`)
    const { answer } = await makeFor(who, fault)
    expect([answer.status, answer.body.message]).toEqual([400, 'the passkey was not accepted'])
    expect((await who.get(factors)).body.passkeys).toEqual([])
  })

  test("created for another user's request, or a duplicate", async () => {
    const { who, authenticator } = await withPasskey()
    const other = await bed.addUser(`maker-${++people}`)
    const begun = (await other.post(setUp)).body
    const stolen = await new SoftwareAuthenticator(origin).make(begun)
    expect((await who.post(passkeys, stolen)).status).toBe(400)
    const options = (await who.post(setUp)).body
    expect(options.exclude).toEqual([{ id: authenticator.id, transports: ['internal'] }])
    const twice = await who.post(passkeys, await authenticator.make(options))
    expect([twice.status, twice.body.message]).toEqual([409, 'this passkey is already registered'])
  })

  test.each([
    ['', 400],
    [' ', 400],
    ['x'.repeat(64), 201],
    ['x'.repeat(65), 400],
    ['a\u0007b', 400],
    ['Schlüssel № 1', 201],
  ])('or accepted by its name %j', async (name, status) => {
    const who = await bed.addUser(`maker-${++people}`)
    expect((await makeFor(who, {}, name)).answer.status).toBe(status)
  })

  test('beyond the limit of twenty', async () => {
    const { who } = await withPasskey()
    const { id } = (await who.get('/v1/me')).body
    const row = await bed.db
      .selectFrom('passkey')
      .selectAll()
      .where('silo_user_id', '=', id)
      .executeTakeFirstOrThrow()
    for (let n = 1; n < 19; n++)
      await bed.db
        .insertInto('passkey')
        .values({ ...row, id: crypto.randomUUID(), credential_id: `${people}-${n}`, transports: '[]' })
        .execute()
    const made = await Promise.all([makeFor(who), makeFor(who)])
    expect(made.map(({ answer }) => answer.status).sort((a, b) => a - b)).toEqual([201, 400])
    const refused = made.find(({ answer }) => answer.status === 400)?.answer.body
    expect(refused.message).toBe('a user may have at most 20 passkeys')
  })
})

test('a passkey is renamed and deleted by its owner, together with the recovery codes if it was the last', async () => {
  const { who, authenticator } = await withPasskey()
  const other = await bed.addUser(`maker-${++people}`)
  const { id } = (await who.get(factors)).body.passkeys[0]
  const at = `${passkeys}/${id}`
  expect((await other.call('PUT', at, { name: 'mine' })).status).toBe(404)
  expect((await other.call('DELETE', at)).status).toBe(404)
  expect((await who.call('PUT', at, { name: ' phone ' })).body.name).toBe('phone')
  await withTotp(who, () => now)
  expect((await who.call('DELETE', at)).status).toBe(204)
  expect((await who.call('DELETE', at)).status).toBe(404)
  expect((await who.get(factors)).body).toMatchObject({ passkeys: [], recovery_codes_left: 10 })
  expect((await signInBy(authenticator)).status).toBe(400)
})

test("a passkey confirms the owner's presence", async () => {
  const { who, authenticator } = await withPasskey()
  const other = await withPasskey()
  now += 601_000
  const ask = async () => (await who.post('/ext/v1/me/confirmations/passkey-challenge')).body
  const confirm = async (body: object) => who.post('/ext/v1/me/confirmations', { kind: 'passkey', ...body })
  expect((await confirm(await other.authenticator.use(await ask()))).status).toBe(400)
  const forSignIn = (await challenge('sign_in')).body
  expect((await confirm(await authenticator.use(forSignIn))).status).toBe(400)
  expect((await who.post(setUp)).status).toBe(403)
  expect((await confirm(await authenticator.use(await ask()))).status).toBe(204)
  expect((await who.post(setUp)).status).toBe(201)
})

test('where the silo requires one, a passkey can be the first factor', async () => {
  const siloId = await bed.addSilo('strict')
  await bed.addUser('newcomer', { siloId })
  await bed.db
    .insertInto('silo_auth_settings')
    .values({ silo_id: siloId, generation: 1, device_token_max_ttl_seconds: null, second_factor: 'required' })
    .execute()
  const { answer, post } = await afterPassword(bed, 'newcomer', { silo: 'strict' })
  expect(answer.body.details).toEqual({ second_factor_set_up: ['passkey', 'totp'] })
  const authenticator = new SoftwareAuthenticator(origin)
  const made = await post(
    'passkey-set-up/confirm',
    await authenticator.make((await post('passkey-set-up')).body),
  )
  expect([made.status, made.body.recovery_codes.length]).toEqual([201, 10])
  expect((await signedInBy(bed, made).get('/v1/me')).status).toBe(200)
})

test('at an IP address there are none, and users with one elsewhere use other factors', async () => {
  const { name } = await withPasskey()
  const headers = { host: '127.0.0.1:8080' }
  const body = { username: name, password: 'correct horse' }
  const answer = await bed.anonymous.call('POST', '/v1/login/demo/local', body, headers)
  expect(answer.body.details).toEqual({ second_factor: ['recovery_code'] })
  const refused = await bed.anonymous.call('POST', login('passkey-challenge'), { use: 'sign_in' }, headers)
  expect([refused.status, refused.body.message]).toEqual([400, 'passkeys cannot be used here'])
  expect((await bed.anonymous.get('/ext/v1/login/silos/demo')).body.passkey).toBe(true)
})

test('allows sixty challenges at once, then one every five seconds', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 80 }, async () => (await challenge('sign_in')).status),
  )
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20)
  now += 301_000
  expect((await challenge('sign_in')).status).toBe(201)
})
