import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { beginDevice, from } from '../sign-in.fixtures.ts'

let bed: TestBed
let me: Caller
let hashed = 0
/** Fixed unless a test moves it: otherwise buckets refill while a busy host is slow. */
let now = Date.now()
const passwords = {
  hash: async (text: string) => `plain:${text}`,
  verify: async (hash: string, text: string) => {
    hashed++
    return hash === `plain:${text}`
  },
}
beforeAll(async () => {
  bed = await testControlPlane({ environment: { passwords, clock: () => new Date(now) } })
  me = await bed.signIn('member')
})
afterAll(() => bed.stop())

const tryFrom = (address: string, username: string, password = 'wrong'): Promise<Response> =>
  from(bed, address, '/v1/login/demo/local', { username, password })
const statuses = async (tries: Promise<Response>[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(tries)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
const times = (count: number, run: (index: number) => Promise<Response>) =>
  Array.from({ length: count }, (_, i) => run(i))

test('ten guesses of one password, then one every half minute, however concurrent', async () => {
  const before = hashed
  expect(await statuses(times(30, () => tryFrom('192.0.2.1', 'viewer')))).toEqual({
    401: 10,
    429: 20,
  })
  // Refused attempts cost no hashing.
  expect(hashed - before).toBe(10)
  const refused = await tryFrom('192.0.2.1', 'viewer', 'correct horse')
  const wait = Number(refused.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(30)
  expect(await refused.json()).toEqual({
    request_id: refused.headers.get('x-request-id'),
    error_code: 'TooManyRequests',
    message: 'too many attempts',
    help: `Wait ${wait} seconds, then try again.`,
  })
  // Its user can sign in from elsewhere, and others from there.
  expect((await tryFrom('192.0.2.2', 'viewer', 'correct horse')).status).toBe(204)
  expect((await tryFrom('192.0.2.1', 'member', 'correct horse')).status).toBe(204)
  now += 31_000
  expect((await tryFrom('192.0.2.1', 'viewer', 'correct horse')).status).toBe(204)
})

test('an unknown user is protected in the same way', async () => {
  expect(await statuses(times(15, () => tryFrom('192.0.2.3', 'nobody-at-all')))).toEqual({ 401: 10, 429: 5 })
})

test('a list of names from one address locks nobody out there, and has two attempts per name', async () => {
  expect(await statuses(times(80, (index) => tryFrom('192.0.2.4', `name-${index}`)))).toEqual({ 401: 80 })
  expect((await tryFrom('192.0.2.4', 'petra', 'correct horse')).status).toBe(204)
  expect(await statuses(times(5, () => tryFrom('192.0.2.4', 'name-70')))).toEqual({ 401: 1, 429: 4 })
  // One typo does not cause a wait there.
  expect((await tryFrom('192.0.2.4', 'petra')).status).toBe(401)
  expect((await tryFrom('192.0.2.4', 'petra', 'correct horse')).status).toBe(204)
})

test("a customer's whole address block counts as one", async () => {
  const inNetwork = (index: number) => `2001:db8:0:1::${(index + 1).toString(16)}`
  expect(await statuses(times(15, (index) => tryFrom(inNetwork(index), 'petra')))).toEqual({
    401: 10,
    429: 5,
  })
  expect((await tryFrom('2001:db8:0:2::1', 'petra', 'correct horse')).status).toBe(204)
})

test('many addresses guessing one password lock its user out nowhere else', async () => {
  expect(await statuses(times(70, (index) => tryFrom(`198.51.100.${index}`, 'admin')))).toEqual({ 401: 70 })
  expect((await tryFrom('203.0.113.1', 'admin', 'correct horse')).status).toBe(204)
  // Each has two attempts by now, instead of ten.
  expect(await statuses(times(5, () => tryFrom('203.0.113.2', 'admin')))).toEqual({ 401: 2, 429: 3 })
  now += 600_000
})

test('persistent guessing waits longer, up to five minutes and never permanently', async () => {
  const guess = () => tryFrom('192.0.2.10', 'omar')
  const waits: number[] = []
  let tried = 0
  for (let turn = 0; turn < 60; turn++) {
    const { status, headers } = await guess()
    if (status === 401) tried++
    else {
      const wait = Number(headers.get('retry-after'))
      waits.push(wait)
      now += wait * 1000
    }
  }
  expect(tried).toBeGreaterThan(20)
  expect([Math.min(...waits), Math.max(...waits)]).toEqual([30, 300])
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect((await tryFrom('192.0.2.11', 'omar', 'correct horse')).status).toBe(204)
})

test('a clock that was ahead and went back makes nobody wait longer', async () => {
  const days = 3 * 24 * 3_600_000
  now += days
  await statuses(times(20, () => tryFrom('192.0.2.12', 'ines')))
  await statuses(times(80, (index) => tryFrom('192.0.2.12', `ahead-${index}`)))
  now -= days
  expect((await tryFrom('192.0.2.12', 'ines', 'correct horse')).status).toBe(204)
  // Each caller gains at most one guess by it.
  expect(await statuses(times(5, () => tryFrom('192.0.2.12', 'ines')))).toEqual({ 401: 1, 429: 4 })
  const refused = await tryFrom('192.0.2.12', 'ines')
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(30)
})

test('successful sign-ins lock nobody out', async () => {
  for (let n = 0; n < 70; n++)
    expect((await tryFrom('192.0.2.6', 'member', 'correct horse')).status).toBe(204)
})

test('device codes cannot be guessed by enumeration', async () => {
  const { user_code } = (await beginDevice(bed)).body
  const guess = (code: string) => me.post('/device/confirm', { user_code: code })
  const tries = await Promise.all(Array.from({ length: 15 }, () => guess('BBBBBBBB')))
  expect(tries.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([
    ...Array(10).fill(404),
    ...Array(5).fill(429),
  ])
  const refused = await guess(user_code)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
  // Other users are unaffected.
  const viewer = await bed.signIn('viewer')
  expect((await viewer.post('/device/confirm', { user_code })).status).toBe(204)
})

test('device flows are limited per address', async () => {
  const begin = (address: string) =>
    from(bed, address, '/device/auth', `client_id=${crypto.randomUUID()}`, {
      'content-type': 'application/x-www-form-urlencoded',
    })
  expect(await statuses(times(40, () => begin('192.0.2.7')))).toEqual({ 200: 30, 429: 10 })
  expect((await begin('192.0.2.8')).status).toBe(200)
})

test('blocked attempts do not fill the log', async () => {
  const count = async () => (await bed.db.selectFrom('audit').select('id').execute()).length
  await statuses(times(12, () => tryFrom('192.0.2.9', 'ghost')))
  const before = await count()
  expect(await statuses(times(20, () => tryFrom('192.0.2.9', 'ghost')))).toEqual({ 429: 20 })
  expect(await count()).toBe(before)
})
