import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tables } from '../../db/tables.ts'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { beginDevice, deviceOf, pollDevice } from './sign-in.fixtures.ts'

let bed: TestBed
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

/** Every row that signing in could have written, and every line of the log. */
async function everything(): Promise<string> {
  const tables: (keyof Tables)[] = [
    'attempt',
    'audit',
    'change',
    'console_session',
    'device_access_token',
    'device_auth_request',
    'job',
    'silo_auth_settings',
    'silo_user',
  ]
  const rows = await Promise.all(
    tables.map((table) =>
      bed.db
        .selectFrom(table as 'audit')
        .selectAll()
        .execute(),
    ),
  )
  return JSON.stringify([rows, bed.logged])
}

test('secrets are stored nowhere in clear', async () => {
  const secrets: string[] = ['correct horse', 'a wrong one', 'a grey heron wades']
  secrets.push((await bed.signIn('viewer')).cookie.replace('session=', ''))
  await bed.anonymous.post('/v1/login/demo/local', { username: 'viewer', password: 'a wrong one' })
  const waiting = (await beginDevice(bed)).body
  const device = await deviceOf(bed, admin)
  secrets.push(waiting.device_code, device.token, device.token.replace('oxide-token-', ''))
  await pollDevice(bed, waiting.device_code)
  await bed.anonymous.call('GET', '/v1/me', undefined, {
    authorization: `Bearer oxide-token-${'5'.repeat(40)}`,
  })
  secrets.push('5'.repeat(40))
  const user = { external_id: 'fresh', password: { mode: 'password', value: 'a grey heron wades' } }
  await admin.post('/v1/system/identity-providers/local/users?silo=demo', user)
  await device.post('/v1/users/not-an-id/logout')
  const found = await everything()
  for (const secret of secrets) expect(found.includes(secret), secret).toBe(false)
})

test('no credential is part of a URL', async () => {
  const device = await deviceOf(bed, admin)
  for (const query of [`?token=${device.token}`, `?access_token=${device.token}`, `?session=${admin.cookie}`])
    expect((await bed.anonymous.get(`/v1/me${query}`)).status).toBe(401)
})

test('a request that the browser marks as cross-site is refused even without an origin', async () => {
  const key = (name: string) => ({ name, description: '', public_key: 'k' })
  const send = async (name: string, headers: Record<string, string>) =>
    (await admin.call('POST', '/v1/me/ssh-keys', key(name), headers)).status
  expect(await send('cross', { 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await send('sibling', { 'sec-fetch-site': 'same-site' })).toBe(403)
  expect(await send('own', { 'sec-fetch-site': 'same-origin' })).toBe(201)
  expect(await send('typed', { 'sec-fetch-site': 'none' })).toBe(201)
  expect(await send('program', {})).toBe(201)
})

test.each(['POST /device/confirm', 'PUT /v1/auth-settings', 'POST /ext/v1/me/sessions/end-others'])(
  '%s is refused to pages of other sites',
  async (request) => {
    const [method = '', path = ''] = request.split(' ')
    const body = { user_code: 'BCDFGHJK', device_token_max_ttl_seconds: null }
    const refused = await admin.call(method, path, body, { origin: 'https://evil.example' })
    expect([refused.status, refused.body.error_code]).toEqual([403, 'Forbidden'])
  },
)

test('request text never becomes response lines', async () => {
  const broken = 'x%0d%0aset-cookie:%20session=evil'
  for (const path of [
    `/login/demo/saml/corporate/redirect?redirect_uri=/${broken}`,
    `/login/demo/saml/corporate/redirect?redirect_uri=${broken}`,
    `/ext/v1/login/silos/${broken}`,
    `/v1/me?x=${broken}`,
  ]) {
    const answer = await bed.anonymous.get(path)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.headers.get('set-cookie')).toBe(null)
    expect([...answer.headers.values()].join('\n')).not.toContain('evil')
  }
})
