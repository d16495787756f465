import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { deviceOf } from '../sign-in.fixtures.ts'

let bed: TestBed
let admin: Caller
beforeAll(async () => {
  bed = await testControlPlane()
  admin = await bed.signIn('admin')
})
afterAll(() => bed.stop())

const own = '/ext/v1/me/sessions'
const current = async (who: Caller) =>
  (await who.get(own)).body.items.find((session: { current: boolean }) => session.current)
const alive = async (...people: { get: Caller['get'] }[]) =>
  Promise.all(people.map(async (who) => (await who.get('/v1/me')).status === 200))
const login = (headers: Record<string, string>) =>
  bed.anonymous.call(
    'POST',
    '/v1/login/demo/local',
    { username: 'viewer', password: 'correct horse' },
    headers,
  )
const caller = (cookie: string): Caller => ({
  ...bed.anonymous,
  cookie,
  get: (path) => bed.anonymous.call('GET', path, undefined, { cookie }),
})

describe("one's own sessions", () => {
  test('are listed with browser and address, and the current one is marked', async () => {
    const person = await bed.addUser('told')
    await bed.anonymous.call(
      'POST',
      '/v1/login/demo/local',
      { username: 'told', password: 'correct horse' },
      { 'user-agent': `Browser ${'x'.repeat(400)}` },
    )
    const { items } = (await person.get(own)).body
    expect(items).toHaveLength(2)
    expect(items.filter((session: { current: boolean }) => session.current)).toHaveLength(1)
    expect(items.map((session: { user_agent: string | null }) => session.user_agent).sort()).toEqual([
      `Browser ${'x'.repeat(248)}`,
      null,
    ])
    expect(new Set(items.map((session: { address: string }) => session.address))).toEqual(
      new Set(['127.0.0.1']),
    )
    const byToken = await (await deviceOf(bed, person)).get(own)
    expect(byToken.body.items.map((session: { current: boolean }) => session.current)).toEqual([false, false])
  })

  test('are ended one by one, by their owner only', async () => {
    const person = await bed.addUser('ender')
    const other = await bed.signIn('ender')
    const { id } = await current(other)
    for (const who of [admin, await bed.signIn('viewer')]) {
      const refused = await who.call('DELETE', `${own}/${id}`)
      expect([refused.status, refused.body.message]).toEqual([
        404,
        `not found: console-session with id "${id}"`,
      ])
    }
    expect(await alive(person, other)).toEqual([true, true])
    expect((await person.call('DELETE', `${own}/${id}`)).status).toBe(204)
    expect(await alive(person, other)).toEqual([true, false])
    expect((await person.call('DELETE', `${own}/${id}`)).status).toBe(404)
    expect((await person.call('DELETE', `${own}/${(await current(person)).id}`)).status).toBe(204)
    expect(await alive(person)).toEqual([false])
  })

  test('end all but the current one, and with a token all of them', async () => {
    const person = await bed.addUser('leaver')
    const others = [await bed.signIn('leaver'), await bed.signIn('leaver')]
    const device = await deviceOf(bed, person)
    expect((await person.post(`${own}/end-others`)).status).toBe(204)
    expect(await alive(person, ...others, device, admin)).toEqual([true, false, false, true, true])
    expect((await device.post(`${own}/end-others`)).status).toBe(204)
    expect(await alive(person, device)).toEqual([false, true])
  })

  test('are ended together with concurrent sign-ins, or not at all', async () => {
    const person = await bed.addUser('racer')
    const [ended, ...signedIn] = await Promise.all([
      person.post(`${own}/end-others`),
      ...Array.from({ length: 5 }, () => bed.signIn('racer')),
    ])
    expect(ended.status).toBe(204)
    const left = (await person.get(own)).body.items.length
    const living = (await alive(...signedIn)).filter(Boolean).length
    expect(left).toBe(living + 1)
  })

  test('that have expired are not listed', async () => {
    const person = await bed.addUser('sleeper')
    bed.pass(8.1 * 3_600_000)
    const again = await bed.signIn('sleeper')
    expect((await again.get(own)).body.items).toHaveLength(1)
    expect((await person.get('/v1/me')).status).toBe(401)
    admin = await bed.signIn('admin')
  })
})

describe("another's sessions and tokens", () => {
  test('are visible to that user and to administrators of the silo', async () => {
    const person = await bed.addUser('watched')
    const device = await deviceOf(bed, person)
    const sa = await bed.addUser('silo-admin', { roles: [{ at: 'silo', role: 'admin' }] })
    const fa = await bed.addUser('fleet-admin', { roles: [{ at: 'fleet', role: 'admin' }] })
    const viewer = await bed.signIn('viewer')
    for (const [who, status] of [
      [person, 200],
      [sa, 200],
      [fa, 403],
      [viewer, 403],
    ] as const) {
      const sessions = await who.get(`/v1/users/${person.id}/sessions`)
      const tokens = await who.get(`/v1/users/${person.id}/access-tokens`)
      expect([sessions.status, tokens.status]).toEqual([status, status])
      if (status !== 200) continue
      expect(sessions.body.items).toEqual([
        { id: expect.any(String), time_created: expect.any(String), time_last_used: expect.any(String) },
      ])
      expect(tokens.body.items).toEqual([
        { id: device.tokenId, time_created: expect.any(String), time_expires: expect.any(String) },
      ])
    }
    for (const who of [fa, viewer]) expect((await who.post(`/v1/users/${person.id}/logout`)).status).toBe(403)
    expect(await alive(person, device)).toEqual([true, true])
    expect((await sa.post(`/v1/users/${person.id}/logout`)).status).toBe(204)
    expect(await alive(person, device, sa)).toEqual([false, false, true])
    expect((await sa.post(`/v1/users/${sa.id}/logout`)).status).toBe(204)
    expect(await alive(sa)).toEqual([false])
  })

  test('are hidden from other silos', async () => {
    const siloId = await bed.addSilo('far')
    const stranger = await bed.addUser('stranger', { siloId })
    for (const [method, path] of [
      ['GET', 'sessions'],
      ['GET', 'access-tokens'],
      ['POST', 'logout'],
    ] as const) {
      const refused = await admin.call(method, `/v1/users/${stranger.id}/${path}`)
      expect([refused.status, refused.body.message]).toEqual([
        404,
        `not found: silo-user with id "${stranger.id}"`,
      ])
    }
    expect(await alive(stranger)).toEqual([true])
  })
})

describe('a session', () => {
  test('is a new one at each sign-in, never one that the browser sent', async () => {
    const chosen = `session=${'ab'.repeat(20)}`
    const planted = await login({ cookie: chosen })
    expect(planted.status).toBe(204)
    const given = planted.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(given).not.toBe(chosen)
    const again = await login({ cookie: given })
    const next = again.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(next).not.toBe(given)
    // Signing in again ends no earlier session (control plane reference, A 5.2).
    expect(await alive(caller(chosen), caller(given), caller(next))).toEqual([false, true, true])
  })

  test.each([
    [false, 'session', ''],
    [true, '__Host-session', ' Secure;'],
  ])('has a cookie hidden from scripts and other sites (https: %s)', async (secure, name, flag) => {
    const other = await testControlPlane({ environment: { secure } })
    const body = { username: 'viewer', password: 'correct horse' }
    const { headers } = await other.anonymous.post('/v1/login/demo/local', body)
    expect(headers.getSetCookie()[0]).toMatch(
      new RegExp(`^${name}=[0-9a-f]{40}; Path=/; HttpOnly; SameSite=Lax;${flag} Max-Age=86400$`),
    )
    const out = await other.anonymous.post('/v1/logout')
    expect(out.headers.get('set-cookie')).toBe(`${name}=; Path=/; HttpOnly; SameSite=Lax;${flag} Max-Age=0`)
    await other.stop()
  })

  describe('over https', () => {
    let https: TestBed
    let own: string
    let planted: string
    beforeAll(async () => {
      https = await testControlPlane({ environment: { secure: true } })
      own = (await https.signIn('viewer')).cookie.replace('__Host-session=', '')
      planted = (await https.signIn('member')).cookie.replace('__Host-session=', '')
    })
    afterAll(() => https.stop())
    const who = async (cookie: string, headers: Record<string, string>) => {
      const { status, body } = await https.anonymous.call('GET', '/v1/me', undefined, { cookie, ...headers })
      return status === 200 ? body.display_name : status
    }

    test.each([
      [
        'a browser with its own',
        () => `__Host-session=${own}`,
        { 'sec-fetch-site': 'same-origin' },
        'viewer',
      ],
      [
        'a browser in which a sister host planted another',
        () => `session=${planted}; __Host-session=${own}`,
        { 'sec-fetch-site': 'same-origin' },
        'viewer',
      ],
      [
        'a browser with a planted one alone',
        () => `session=${planted}`,
        { 'sec-fetch-site': 'same-origin' },
        401,
      ],
      ['a link that a person opens', () => `session=${planted}`, { 'sec-fetch-site': 'none' }, 401],
      ['a program with both', () => `session=${planted}; __Host-session=${own}`, {}, 'viewer'],
      ['a program that knows the name of the API', () => `session=${own}`, {}, 'viewer'],
      ['a foreign prefix', () => `__host-session=${own}; __Secure-session=${own}`, {}, 401],
    ])('%s', async (_, cookie, headers, expected) => expect(await who(cookie(), headers)).toBe(expected))
  })

  test('the https cookie name is ignored without https', async () => {
    const { cookie } = await bed.signIn('viewer')
    expect(await alive(caller(`__Host-${cookie}`))).toEqual([false])
  })

  test('ends with a sign-out, which ends no other', async () => {
    const person = await bed.addUser('two-browsers')
    const other = await bed.signIn('two-browsers')
    expect((await other.post('/v1/logout')).status).toBe(204)
    expect(await alive(person, other)).toEqual([true, false])
  })
})
