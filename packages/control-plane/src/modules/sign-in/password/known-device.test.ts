import { afterAll, beforeAll, expect, test } from 'vitest'
import { testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { from } from '../sign-in.fixtures.ts'

let bed: TestBed
let now = Date.now()
beforeAll(async () => {
  bed = await testControlPlane({ environment: { clock: () => new Date(now), secure: true } })
})
afterAll(() => bed.stop())

const right = 'correct horse'
const day = 24 * 3_600_000
const login = (address: string, username: string, password: string, cookie = '') =>
  from(bed, address, '/v1/login/demo/local', { username, password }, cookie ? { cookie } : {})
const cookiesOf = ({ headers }: Response) => headers.getSetCookie()
const knownBy = (answer: Response) =>
  cookiesOf(answer)
    .find((cookie) => /^(__Host-)?known-device=/.test(cookie))
    ?.split(';')[0] ?? ''
const guessAway = async (address: string, username: string, cookie = '') => {
  const tries = await Promise.all(Array.from({ length: 15 }, () => login(address, username, 'wrong', cookie)))
  return tries.map(({ status }) => status).sort((a, b) => a - b)
}
const tenThenNone = [...Array<number>(10).fill(401), ...Array<number>(5).fill(429)]

test('a sign-in makes its browser known, by a cookie hidden from scripts and other sites', async () => {
  const answer = await login('192.0.2.1', 'viewer', right)
  const [session, device] = cookiesOf(answer)
  expect(session).toMatch(/^__Host-session=/)
  expect(device).toMatch(
    /^__Host-known-device=[0-9a-f]{32}\.\d+\.[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=15552000$/,
  )
  const again = await login('192.0.2.9', 'viewer', right, knownBy(answer))
  expect(knownBy(again).split('.')[0]).toBe(knownBy(answer).split('.')[0])
  expect(cookiesOf(await login('192.0.2.1', 'viewer', 'wrong'))).toEqual([])
})

test('its user can sign in during an attack, from the same address or many', async () => {
  const cookie = knownBy(await login('192.0.2.2', 'member', right))
  expect(await guessAway('192.0.2.2', 'member')).toEqual(tenThenNone)
  for (let index = 0; index < 60; index++) await login(`198.51.100.${index}`, 'member', 'wrong')
  expect((await login('192.0.2.2', 'member', right)).status).toBe(429)
  expect((await login('192.0.2.2', 'member', right, cookie)).status).toBe(204)
  expect((await login('192.0.2.3', 'member', right, cookie)).status).toBe(204)
})

test('a stolen one allows no more guesses than usual, and locks its user out nowhere else', async () => {
  const stolen = knownBy(await login('192.0.2.4', 'ines', right))
  const tries: Response[] = []
  for (let index = 0; index < 15; index++)
    tries.push(await login(`203.0.113.${index}`, 'ines', 'wrong', stolen))
  expect(tries.map(({ status }) => status)).toEqual(tenThenNone)
  expect((await login('192.0.2.4', 'ines', right)).status).toBe(204)
})

let tried = 0
test.each<[string, (cookie: string) => string | Promise<string>]>([
  ['of another account', async () => knownBy(await login('192.0.2.5', 'petra', right))],
  ['of a device that was made up', (cookie) => cookie.replace(/=[0-9a-f]{32}/, `=${'0'.repeat(32)}`)],
  ['with a later end', (cookie) => cookie.replace(/\.(\d+)\./, (_, end) => `.${Number(end) + 1}.`)],
  ['without a signature', (cookie) => cookie.replace(/[0-9a-f]{64}$/, '')],
  ['with a signature that was made up', (cookie) => cookie.replace(/[0-9a-f]{64}$/, '0'.repeat(64))],
  [
    'of another installation',
    async () => {
      const other = await testControlPlane()
      const { headers } = await other.anonymous.post('/v1/login/demo/local', {
        username: 'omar',
        password: right,
      })
      await other.stop()
      return headers.getSetCookie()[1]?.split(';')[0] ?? ''
    },
  ],
  ['of odd text', () => 'known-device=x.y.z.\u00e9%00'],
])('a cookie %s makes no device known', async (_, make) => {
  const address = `192.0.2.${100 + tried++}`
  // The account's own limit is covered by another test.
  now += 600_000
  const cookie = await make(knownBy(await login(address, 'omar', right)))
  expect(await guessAway(address, 'omar')).toEqual(tenThenNone)
  expect((await login(address, 'omar', right, cookie)).status).toBe(429)
})

test('a browser is known for half a year after its last sign-in, even if the clock was ahead', async () => {
  const early = knownBy(await login('192.0.2.7', 'admin', right))
  now += 179 * day
  const renewed = knownBy(await login('192.0.2.7', 'admin', right, early))
  now += 2 * day
  await guessAway('192.0.2.7', 'admin')
  expect((await login('192.0.2.7', 'admin', right, early)).status).toBe(429)
  expect((await login('192.0.2.7', 'admin', right, renewed)).status).toBe(204)
  now += 365 * day
  const ahead = knownBy(await login('192.0.2.8', 'admin', right))
  now -= 365 * day
  await guessAway('192.0.2.8', 'admin')
  expect((await login('192.0.2.8', 'admin', right, ahead)).status).toBe(429)
})
