import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultSettings } from '@gantry/control-plane/settings'
import { eventually, testControlPlane, type TestBed } from '@gantry/control-plane/testing/control-plane'
import { from } from '../sign-in.fixtures.ts'
import { passwordQueue } from './password-turns.ts'

let bed: TestBed
let checking = 0
let peak = 0
/** Checks that block until a test releases them. */
let held: (() => void)[] | undefined
const passwords = {
  hash: async (text: string) => `plain:${text}`,
  verify: async (hash: string, text: string) => {
    peak = Math.max(peak, ++checking)
    if (held) await new Promise<void>((resolve) => held?.push(resolve))
    checking--
    return hash === `plain:${text}`
  },
}
beforeAll(async () => {
  const sign_in = { ...defaultSettings.sign_in, password_checks_at_once: 2, password_checks_waiting: 10 }
  bed = await testControlPlane({ environment: { passwords, settings: { ...defaultSettings, sign_in } } })
})
afterAll(() => bed.stop())

const login = (address: string, username: string, password: string, headers: Record<string, string> = {}) =>
  from(bed, address, '/v1/login/demo/local', { username, password }, headers)
const settle = () => new Promise((resolve) => setTimeout(resolve, 50))
const letGo = () => {
  const waiting = held ?? []
  held = undefined
  for (const go of waiting) go()
}

test('a flood of sign-ins is checked two at a time, and blocks neither others nor the API', async () => {
  const known =
    (await login('192.0.2.1', 'member', 'correct horse')).headers.getSetCookie()[1]?.split(';')[0] ?? ''
  peak = 0
  held = []
  let answered = 0
  const flood = Array.from({ length: 200 }, (_, index) =>
    login('192.0.2.2', `name-${index}`, 'wrong').finally(() => answered++),
  )
  // Two are being checked and ten wait; then two newcomers take the places of two.
  await eventually(
    async () => answered,
    (count) => count === 188,
  )
  const person = login('192.0.2.3', 'viewer', 'correct horse')
  const regular = login('192.0.2.2', 'member', 'correct horse', { cookie: known })
  await eventually(
    async () => answered,
    (count) => count === 190,
  )
  const pings = await Promise.all(Array.from({ length: 20 }, () => bed.anonymous.get('/v1/ping')))
  expect(pings.map(({ status }) => status)).toEqual(Array(20).fill(200))
  letGo()
  expect([(await person).status, (await regular).status]).toEqual([204, 204])
  const answers = await Promise.all(flood)
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(200 - refused.length)
  expect(refused).toHaveLength(190)
  expect(peak).toBe(2)
  expect(refused[0]?.headers.get('retry-after')).toBe('5')
  expect(await refused[0]?.json()).toMatchObject({
    error_code: 'TooManyRequests',
    message: 'too many people are signing in',
    help: 'Wait 5 seconds, then try again.',
  })
})

test('setting passwords takes turns too', async () => {
  const admin = await bed.signIn('admin')
  let hashing = 0
  let peakHashing = 0
  const { hash } = passwords
  passwords.hash = async (text) => {
    peakHashing = Math.max(peakHashing, ++hashing)
    await settle()
    hashing--
    return hash(text)
  }
  const create = (index: number) =>
    admin.post('/v1/system/identity-providers/local/users?silo=demo', {
      external_id: `made-${index}`,
      password: { mode: 'password', value: 'battery staple' },
    })
  const made = await Promise.all(Array.from({ length: 8 }, (_, index) => create(index)))
  passwords.hash = hash
  expect([made.map(({ status }) => status), peakHashing]).toEqual([Array(8).fill(201), 2])
})

/** The order in which these get their turns while one is taken and five may wait. */
async function orderOf(...waiting: readonly (readonly [name: string, source: string, isKnown?: boolean])[]) {
  const turns = passwordQueue(1, 5)
  const order: string[] = []
  let open = (): void => {}
  const first = turns.run({ owner: 'a' }, () => new Promise<void>((resolve) => (open = resolve)))
  const taken = waiting.map(([name, source, isKnown = false]) =>
    turns
      .run({ owner: source, isPreferred: isKnown }, async () => void order.push(name))
      .catch((error: { extra: { retryAfter: number } }) =>
        order.push(`${name} waits ${error.extra.retryAfter}`),
      ),
  )
  await settle()
  open()
  await Promise.all([first, ...taken])
  return order
}

test('turns go to the first of each source, of known devices before strangers', async () => {
  expect(
    await orderOf(
      ['a1', 'a'],
      ['a2', 'a'],
      ['a3', 'a'],
      ['b1', 'b'],
      ['c1', 'c'],
      ['d1', 'd', true],
      ['a4', 'a'],
    ),
  ).toEqual(['a3 waits 5', 'a4 waits 5', 'd1', 'a1', 'b1', 'c1', 'a2'])
})

test('a flood from a known device leaves strangers their turns', async () => {
  const flood = ['d1', 'd2', 'd3', 'd4', 'd5'].map((name) => [name, 'd', true] as const)
  expect(await orderOf(...flood, ['a1', 'a'], ['b1', 'b'])).toEqual([
    'd5 waits 5',
    'd4 waits 5',
    'd1',
    'a1',
    'b1',
    'd2',
    'd3',
  ])
})

test('a failure passes its turn on', async () => {
  const turns = passwordQueue(1, 5)
  const who = { owner: 'a' }
  await expect(turns.run(who, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(turns.run(who, async () => 'done')).resolves.toBe('done')
})
