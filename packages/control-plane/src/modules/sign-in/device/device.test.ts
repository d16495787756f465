import { deviceRequestSeconds, userCodeLetters } from '@gantry/api/people/device.rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashSecret } from '@gantry/control-plane/authz/secret'
import { defaultSettings } from '@gantry/control-plane/settings'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { testServices } from '@gantry/control-plane/testing/services'
import { beginDevice, clientId, deviceOf, formType, pollDevice } from '../sign-in.fixtures.ts'

let bed: TestBed
let me: Caller
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  me = await bed.signIn('member')
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const pending = [400, { error: 'authorization_pending' }]
const limit = (seconds: number | null) =>
  admin.call('PUT', '/v1/auth-settings', { device_token_max_ttl_seconds: seconds })
const tokens = async (who: Caller) => (await who.get('/v1/me/access-tokens')).body.items

test('a device flow begins with a secret code and a code to display', async () => {
  const { status, body } = await beginDevice(bed)
  expect(status).toBe(200)
  expect(body).toEqual({
    device_code: expect.stringMatching(/^[0-9a-f]{40}$/),
    user_code: expect.stringMatching(new RegExp(`^[${userCodeLetters}]{3}-[${userCodeLetters}]{5}$`)),
    verification_uri: 'http://localhost/device/verify',
    expires_in: 300,
  })
})

test.each([
  ['as shown', (code: string) => code],
  ['in lower case', (code: string) => code.toLowerCase()],
  ['without a dash', (code: string) => code.replace('-', '')],
  ['with the dash elsewhere', (code: string) => code.replace('-', '').replace(/^.{4}/, '$&-')],
  ['with blanks', (code: string) => ` ${code.replace('-', ' ')} `],
])('a code typed %s approves the device', async (_, typed) => {
  const { device_code, user_code } = (await beginDevice(bed)).body
  const before = await pollDevice(bed, device_code)
  expect([before.status, before.body]).toEqual(pending)
  expect((await me.post('/device/confirm', { user_code: typed(user_code) })).status).toBe(204)
  const first = await pollDevice(bed, device_code)
  expect([first.status, first.body]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^oxide-token-[0-9a-f]{40}$/),
      token_type: 'bearer',
      token_id: expect.any(String),
      time_expires: expect.any(String),
    },
  ])
  const again = await me.post('/device/confirm', { user_code })
  expect([again.status, again.body.message]).toEqual([
    404,
    `not found: device-auth-request with id "${user_code}"`,
  ])
})

test('a token approves no device, so that none outlives it', async () => {
  const mine = (await beginDevice(bed)).body
  await me.post('/device/confirm', { user_code: mine.user_code })
  const { access_token } = (await pollDevice(bed, mine.device_code)).body
  const byToken = (path: string, body: object) =>
    bed.anonymous.call('POST', path, body, { authorization: `Bearer ${access_token}` })
  const before = await tokens(me)
  const { device_code, user_code } = (await beginDevice(bed)).body
  // Also a code that does not exist, so that the answer tells nothing of codes.
  for (const code of [user_code, 'BCDFGHJK']) {
    const refused = await byToken('/device/confirm', { user_code: code })
    expect([refused.status, refused.body.message]).toEqual([403, 'access tokens cannot approve devices'])
  }
  const still = await pollDevice(bed, device_code)
  expect([still.status, still.body]).toEqual(pending)
  expect(await tokens(me)).toEqual(before)
  // The request is unharmed: its user may still approve it.
  expect((await me.post('/device/confirm', { user_code })).status).toBe(204)
})

describe('a device that a user denies', () => {
  const deny = (who: Caller, user_code: string) => who.post('/ext/v1/device-denials', { user_code })
  const poll = async (code: string) => (await pollDevice(bed, code)).body.error

  test('is told so, and its code is worth nothing any more', async () => {
    const { device_code, user_code } = (await beginDevice(bed)).body
    expect((await deny(me, user_code.toLowerCase())).status).toBe(204)
    expect([await poll(device_code), await poll(device_code)]).toEqual(['access_denied', 'access_denied'])
    for (const again of [await me.post('/device/confirm', { user_code }), await deny(admin, user_code)])
      expect([again.status, again.body.error_code]).toEqual([404, 'ObjectNotFound'])
    expect(await poll(device_code)).toBe('access_denied')
    const { details } = await bed.db
      .selectFrom('audit')
      .select('details')
      .where('operation_id', '=', 'device_auth_deny')
      .where('http_status_code', '=', 204)
      .executeTakeFirstOrThrow()
    expect(details).toMatchObject({ client_id: clientId, device_address: '127.0.0.1' })
  })

  test.each(['', 'BCD-FGHJK', "' OR 1=1 --"])('by the code %s is unknown', async (user_code) => {
    const answer = await deny(me, user_code)
    expect([answer.status, answer.body.error_code]).toEqual([404, 'ObjectNotFound'])
  })

  test('cannot be denied by a token, nor by nobody', async () => {
    const { device_code, user_code } = (await beginDevice(bed)).body
    const mine = await deviceOf(bed, me)
    const refused = await mine.post('/ext/v1/device-denials', { user_code })
    expect([refused.status, refused.body.message]).toEqual([403, 'access tokens cannot approve devices'])
    expect((await deny(bed.anonymous, user_code)).status).toBe(401)
    expect(await poll(device_code)).toBe('authorization_pending')
  })

  test('and approves at once: one of them succeeds', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 6; round++) {
      const { device_code, user_code } = (await beginDevice(bed)).body
      const calls = [me.post('/device/confirm', { user_code }), deny(admin, user_code)]
      const statuses = (await Promise.all(round % 2 ? calls : calls.toReversed())).map(({ status }) => status)
      expect(new Set(statuses)).toEqual(new Set([204, 404]))
      const { body } = await pollDevice(bed, device_code)
      outcomes.add(body.error ?? 'a token')
    }
    for (const outcome of outcomes) expect(['access_denied', 'a token']).toContain(outcome)
  })
})

test('an unknown code, or that of another client, is worth no more polls', async () => {
  const { device_code } = (await beginDevice(bed)).body
  for (const [code, more] of [
    ['0'.repeat(40), {}],
    ['', {}],
    ["' OR 1=1 --", {}],
    ['x'.repeat(256), {}],
    [device_code.toUpperCase(), {}],
    [device_code, { client_id: crypto.randomUUID() }],
  ] as const)
    expect(await pollDevice(bed, code, more)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  const other = await pollDevice(bed, device_code, { grant_type: 'password' })
  expect([other.status, other.body]).toEqual([400, { error: 'unsupported_grant_type' }])
})

test('a device that polls too often is slowed down until it waits, and an expired code ends its polls', async () => {
  const { device_code } = (await beginDevice(bed)).body
  const poll = async () => (await pollDevice(bed, device_code)).body.error
  const often = await Promise.all(Array.from({ length: 6 }, poll))
  expect(often.filter((error) => error === 'authorization_pending')).toHaveLength(3)
  expect(often.filter((error) => error === 'slow_down')).toHaveLength(3)
  bed.pass(5000)
  expect([await poll(), await poll()]).toEqual(['authorization_pending', 'slow_down'])
  bed.pass(deviceRequestSeconds * 1000)
  expect(await poll()).toBe('expired_token')
})

test.each<[body: string, message: RegExp]>([
  ['', /missing field `client_id`/],
  ['client_id=me', /client_id: UUID parsing failed/],
  ...['0', '-1', '1.5', '1e3', '', '4294967296'].map((ttl): [string, RegExp] => [
    `client_id=${clientId}&ttl_seconds=${ttl}`,
    /ttl_seconds: /,
  ]),
])('a device request that says %s is refused', async (body, message) => {
  const answer = await bed.anonymous.call('POST', '/device/auth', body, formType)
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(message)])
  expect(answer.body.message).toMatch(/^unable to parse URL-encoded body: /)
})

test.each(['', 'BCD-FGHJK', 'x', "' OR 1=1 --", '\u{1f980}', 'B'.repeat(256)])(
  'the code %s is unknown',
  async (user_code) => {
    const answer = await admin.post('/device/confirm', { user_code })
    expect([answer.status, answer.body.error_code]).toEqual([404, 'ObjectNotFound'])
  },
)

test('an overlong code is not looked up', async () => {
  const answer = await admin.post('/device/confirm', { user_code: 'B'.repeat(257) })
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringMatching(/at most 256 characters/)])
})

test('a code is valid for five minutes; a late user and the device both learn that it expired', async () => {
  const { device_code, user_code } = (await beginDevice(bed)).body
  bed.pass((deviceRequestSeconds + 1) * 1000)
  for (const who of [me, admin]) {
    const late = await who.post('/device/confirm', { user_code })
    expect([late.status, late.body.error_code, late.body.message]).toEqual([
      400,
      'InvalidRequest',
      'device authorization request expired',
    ])
  }
  const polled = await pollDevice(bed, device_code)
  expect([polled.status, polled.body]).toEqual([400, { error: 'expired_token' }])
})

test('answers of the device flow are kept by no cache', async () => {
  const begun = await beginDevice(bed)
  await me.post('/device/confirm', { user_code: begun.body.user_code })
  const unknown = await pollDevice(bed, '0'.repeat(40))
  for (const { headers } of [begun, unknown, await pollDevice(bed, begun.body.device_code)])
    expect(headers.get('cache-control')).toContain('no-store')
})

test('a code yields its token once: a second request gets none, and revokes the first', async () => {
  const { device_code, user_code } = (await beginDevice(bed)).body
  await me.post('/device/confirm', { user_code })
  const { access_token, token_id } = (await pollDevice(bed, device_code)).body
  const isIn = async () =>
    (await bed.anonymous.call('GET', '/v1/me', undefined, { authorization: `Bearer ${access_token}` })).status
  expect(await isIn()).toBe(200)
  // The code alone, without its client id, achieves nothing.
  expect(await pollDevice(bed, device_code, { client_id: crypto.randomUUID() })).toMatchObject({
    body: { error: 'invalid_grant' },
  })
  expect(await isIn()).toBe(200)
  const again = await pollDevice(bed, device_code)
  expect([again.status, again.body]).toEqual([400, { error: 'invalid_grant' }])
  expect(await isIn()).toBe(401)
  expect((await tokens(me)).map(({ id }: { id: string }) => id)).not.toContain(token_id)
  const audit = await bed.db
    .selectFrom('audit')
    .select('http_status_code')
    .where('operation_id', '=', 'device_access_token')
    .execute()
  expect(audit).toEqual([{ http_status_code: 400 }])
})

test('of several concurrent requests for one token, none keeps it', async () => {
  const { device_code, user_code } = (await beginDevice(bed)).body
  await me.post('/device/confirm', { user_code })
  const answers = await Promise.all(Array.from({ length: 5 }, () => pollDevice(bed, device_code)))
  const given = answers.filter(({ status }) => status === 200)
  expect(given).toHaveLength(1)
  const authorization = `Bearer ${given[0]?.body.access_token}`
  expect((await bed.anonymous.call('GET', '/v1/me', undefined, { authorization })).status).toBe(401)
})

test('a token cannot be derived from its code', async () => {
  const { device_code, user_code } = (await beginDevice(bed)).body
  await me.post('/device/confirm', { user_code })
  const { access_token } = (await pollDevice(bed, device_code)).body
  const digest = await hashSecret(`access-token:${device_code}`)
  expect(access_token).not.toBe(`oxide-token-${digest.slice(0, 40)}`)
})

test('a token is valid for thirty days by default, and no longer unless the silo allows it', async () => {
  const days = 24 * 3600
  const seconds = async (device: { tokenId: string }) => {
    const token = (await tokens(me)).find(({ id }: { id: string }) => id === device.tokenId)
    return (Date.parse(token.time_expires) - Date.parse(token.time_created)) / 1000
  }
  expect(await seconds(await deviceOf(bed, me))).toBe(30 * days)
  const { user_code } = (await beginDevice(bed, { ttl_seconds: String(31 * days) })).body
  const refused = await me.post('/device/confirm', { user_code })
  expect([refused.status, refused.body.message]).toEqual([
    400,
    `Requested TTL ${31 * days} seconds exceeds maximum allowed TTL for this silo of ${30 * days} seconds`,
  ])
  await limit(90 * days)
  expect(await seconds(await deviceOf(bed, me, { ttl_seconds: String(31 * days) }))).toBe(31 * days)
  // A longer maximum does not extend the default.
  expect(await seconds(await deviceOf(bed, me))).toBe(30 * days)
  await limit(null)
})

test('a token is valid as long as requested or as the silo allows, and keeps its expiry', async () => {
  expect((await limit(3600)).status).toBe(200)
  const tooLong = (await beginDevice(bed, { ttl_seconds: '3601' })).body
  const refused = await me.post('/device/confirm', { user_code: tooLong.user_code })
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'Requested TTL 3601 seconds exceeds maximum allowed TTL for this silo of 3600 seconds',
  ])
  const [asked, silent] = [await deviceOf(bed, me, { ttl_seconds: '60' }), await deviceOf(bed, me)]
  expect((await limit(null)).status).toBe(200)
  // No user of the silo can approve it, and the device need not ask again.
  expect((await me.post('/device/confirm', { user_code: tooLong.user_code })).status).toBe(404)
  expect(await pollDevice(bed, tooLong.device_code)).toMatchObject({
    status: 400,
    body: { error: 'access_denied' },
  })
  const lasts = Object.fromEntries(
    (await tokens(me)).map((token: Record<string, string>) => [
      token.id,
      token.time_expires && (Date.parse(token.time_expires) - Date.parse(token.time_created ?? '')) / 1000,
    ]),
  )
  expect([lasts[asked.tokenId], lasts[silent.tokenId]]).toEqual([60, 3600])
  bed.pass(61_000)
  expect([(await asked.get('/v1/me')).status, (await silent.get('/v1/me')).status]).toEqual([401, 200])
  expect((await tokens(me)).map((token: { id: string }) => token.id)).not.toContain(asked.tokenId)
})

test('of two users who approve one code, one succeeds', async () => {
  const { device_code, user_code } = (await beginDevice(bed)).body
  const answers = await Promise.all(
    [me, admin, me, admin].map((who) => who.post('/device/confirm', { user_code })),
  )
  expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([204, 404, 404, 404])
  expect((await pollDevice(bed, device_code)).status).toBe(200)
})

test('a token acts as its user wherever a session does', async () => {
  const device = await deviceOf(bed, me)
  expect((await device.get('/v1/me')).body.display_name).toBe('member')
  const key = { name: 'by-token', description: '', public_key: 'k' }
  expect((await device.post('/v1/me/ssh-keys', key)).status).toBe(201)
  const audit = await bed.db
    .selectFrom('audit')
    .select(['auth_method', 'operation_id'])
    .where('operation_id', '=', 'current_user_ssh_key_create')
    .execute()
  expect(audit).toEqual([{ auth_method: 'access_token', operation_id: 'current_user_ssh_key_create' }])
  const stream = await bed.plane.fetch(
    new Request('http://localhost/ext/v1/changes', { headers: device.bearer }),
    { address: '127.0.0.1' },
  )
  const reader = stream.body?.getReader()
  const first = await reader?.read()
  expect(new TextDecoder().decode(first?.value)).toContain('event: ready')
  await reader?.cancel()
  const upgrade = await bed.plane.upgrade(
    new Request('http://localhost/v1/instances/nobody/serial-console/stream?project=playground', {
      headers: device.bearer,
    }),
    { address: '127.0.0.1' },
  )
  expect(upgrade instanceof Response && upgrade.status).toBe(404)
  // A sign-out applies to a session.
  expect((await device.post('/v1/logout')).status).toBe(204)
  expect((await device.get('/v1/me')).status).toBe(200)
})

test.each([
  ['Basic oxide-token-', 401],
  ['Bearer', 401],
  ['Bearer other-token-', 401],
  ['Bearer oxide-token-x', 401],
  ['Bearer OXIDE-TOKEN-', 401],
  ['bearer  oxide-token-', 200],
  ['Bearer oxide-token-', 200],
])('%s grants what it should', async (scheme, status) => {
  const { token } = await deviceOf(bed, me)
  const authorization = scheme + token.replace('oxide-token-', '')
  expect((await bed.anonymous.call('GET', '/v1/me', undefined, { authorization })).status).toBe(status)
  // An invalid cookie is refused whatever other credentials are present.
  const cookie = 'session=0000000000000000000000000000000000000000'
  expect((await bed.anonymous.call('GET', '/v1/me', undefined, { authorization, cookie })).status).toBe(401)
})

test('a token is deleted only by its owner, and stops working at once', async () => {
  const device = await deviceOf(bed, me)
  const path = `/v1/me/access-tokens/${device.tokenId}`
  for (const who of [admin, await bed.signIn('viewer')]) {
    const refused = await who.call('DELETE', path)
    expect([refused.status, refused.body.message]).toEqual([
      404,
      `not found: device-access-token with id "${device.tokenId}"`,
    ])
  }
  expect((await me.call('DELETE', path)).status).toBe(204)
  expect((await me.call('DELETE', path)).status).toBe(404)
  expect((await device.get('/v1/me')).status).toBe(401)
})

test('the verification URL is ours, whatever host a request names', async () => {
  const other = await testControlPlane({
    environment: { origins: ['https://gantry.example', 'https://gantry.internal'], secure: true },
  })
  const uri = async (host: string) =>
    (await other.anonymous.call('POST', '/device/auth', `client_id=${clientId}`, { ...formType, host })).body
      .verification_uri
  expect(await uri('gantry.internal')).toBe('https://gantry.internal/device/verify')
  expect(await uri('evil.example')).toBe('https://gantry.example/device/verify')
  await other.stop()
})

test('unused requests are deleted', async () => {
  await beginDevice(bed)
  bed.pass(25 * 3_600_000)
  me = await bed.signIn('member')
  const { signInRetention } = await import('../sessions/retention.ts')
  const clock = () => new Date(Date.now() + 50 * 3_600_000)
  await signInRetention.run(testServices({ db: bed.db, clock, settings: defaultSettings }))
  for (const table of ['device_auth_request', 'attempt'] as const)
    expect(
      await bed.db
        .selectFrom(table as 'attempt')
        .selectAll()
        .execute(),
    ).toEqual([])
})
