import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defaultSettings } from '../settings.ts'
import { type Admitted, Admission, costOf, costOfItems } from './admission.ts'

function admission(limits: Partial<typeof defaultSettings.limits>) {
  let now = 1_000_000
  const settings = { ...defaultSettings, limits: { ...defaultSettings.limits, ...limits } }
  const gate = new Admission({ settings, clock: () => new Date(now) })
  return { gate, pass: (ms: number) => (now += ms) }
}

describe('requests of one user', () => {
  test('are admitted in a burst, then at a steady rate', async () => {
    const { gate, pass } = admission({ requests_per_second: 2, request_burst: 3 })
    for (let count = 0; count < 3; count++) (await gate.enter('ada', 1)).leave()
    await expect(gate.enter('ada', 1)).rejects.toMatchObject({
      code: 'TooManyRequests',
      extra: {
        retryAfter: 1,
        help: 'You may send 2 requests a second, and 3 at once. Wait 1 second, then try again.',
      },
    })
    // Other users are unaffected.
    ;(await gate.enter('grace', 1)).leave()
    pass(500)
    ;(await gate.enter('ada', 1)).leave()
    await expect(gate.enter('ada', 1)).rejects.toThrow('too many requests')
    pass(3_600_000)
    for (let count = 0; count < 3; count++) (await gate.enter('ada', 1)).leave()
    await expect(gate.enter('ada', 1)).rejects.toThrow('too many requests')
  })

  test('gain and lose no tokens when the clock goes back', async () => {
    const { gate, pass } = admission({ requests_per_second: 1, request_burst: 2 })
    ;(await gate.enter('ada', 1)).leave()
    pass(-86_400_000)
    ;(await gate.enter('ada', 1)).leave()
    await expect(gate.enter('ada', 1)).rejects.toMatchObject({ extra: { retryAfter: 1 } })
    pass(1000)
    ;(await gate.enter('ada', 1)).leave()
  })

  test('that cost more than a burst are admitted once the bucket is full', async () => {
    const { gate } = admission({ requests_per_second: 1, request_burst: 5 })
    ;(await gate.enter('ada', 50)).leave()
    await expect(gate.enter('ada', 1)).rejects.toThrow('too many requests')
  })

  test('queue when too many are running, and are refused when too many are queued', async () => {
    const { gate } = admission({ requests_at_once: 2 })
    const order: number[] = []
    const entered = Array.from({ length: 22 }, async (_, index) => {
      const admitted = await gate.enter('ada', 1)
      order.push(index)
      return admitted
    })
    await Promise.resolve()
    await expect(gate.enter('ada', 1)).rejects.toMatchObject({
      extra: { help: expect.stringMatching(/^You have 2 requests running and 20 waiting\. /) },
    })
    ;(await gate.enter('grace', 1)).leave()
    expect(order).toEqual([0, 1])
    for (const one of entered) {
      const { leave } = await one
      leave()
      // A second call must not free another slot.
      leave()
    }
    expect(order).toEqual(entered.map((_, index) => index))
  })
})

describe('of the requests of one user', () => {
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
  /** Requests that note when they start. */
  function requests(limits: Partial<typeof defaultSettings.limits>) {
    const { gate } = admission(limits)
    const started = new Map<string, Admitted>()
    const refused: string[] = []
    const send = (name: string, cost = 1, signal?: AbortSignal): void =>
      void gate.enter('ada', cost, signal && (() => signal)).then(
        (admitted) => started.set(name, admitted),
        (error: Error) => refused.push(`${name}: ${error.message}`),
      )
    const names = async () => {
      await settle()
      return [...started.keys()].join(' ')
    }
    return { send, refused, names, of: (name: string) => started.get(name) }
  }

  test('pay for the items of their lists once these are known, and later ones wait for that', async () => {
    const { gate, pass } = admission({ requests_per_second: 10, request_burst: 100 })
    const { charge, leave } = await gate.enter('ada', 1)
    charge(costOfItems(49))
    charge(costOfItems(4950))
    // Even a request that costs more than the burst continues, and delays later ones by no more than twice its time.
    charge(costOfItems(1_000_000))
    leave()
    pass(10_000)
    await expect(gate.enter('ada', 1)).rejects.toThrow('too many requests')
    pass(100)
    await gate.enter('ada', 1)
  })

  test('few heavy ones run, and lighter ones pass those that wait', async () => {
    const { send, names, of } = requests({ heavy_requests_at_once: 2, requests_at_once: 4 })
    for (const name of ['h1', 'h2', 'h3', 'h4']) send(name, 5)
    expect(await names()).toBe('h1 h2')
    send('l1')
    send('l2')
    send('l3')
    expect(await names()).toBe('h1 h2 l1 l2')
    of('l1')?.leave()
    expect(await names()).toBe('h1 h2 l1 l2 l3')
    of('h1')?.leave()
    expect(await names()).toBe('h1 h2 l1 l2 l3 h3')
  })

  test('none starts while too many bytes of answers are unsent', async () => {
    const { send, names, of } = requests({ unsent_mebibytes_per_person: 1 })
    send('a')
    await settle()
    of('a')?.hold(2 * 1024 ** 2)
    send('b')
    send('c')
    expect(await names()).toBe('a')
    of('a')?.hold(-1.5 * 1024 ** 2)
    expect(await names()).toBe('a b c')
    of('b')?.hold(1024 ** 2)
    send('d')
    expect(await names()).toBe('a b c')
    of('b')?.leave()
    // A request that is over holds nothing.
    of('b')?.hold(1024 ** 2)
    expect(await names()).toBe('a b c d')
  })

  test('one whose client leaves makes room in the queue', async () => {
    const { send, names, refused, of } = requests({ requests_at_once: 1 })
    const gone = new AbortController()
    send('a')
    send('b', 1, gone.signal)
    send('c')
    await settle()
    gone.abort(new Error('the client left'))
    send('d', 1, gone.signal)
    await settle()
    expect(refused).toEqual(['b: the client left', 'd: the client left'])
    of('a')?.leave()
    expect(await names()).toBe('a c')
  })
})

const json = { encoding: 'json', body: undefined, bodyMax: 1024 * 1024 } as const
const write = { ...json, body: z.object({}) }

test.each([
  ['/v1/disks', undefined, json, 1],
  ['/v1/disks?limit=1000', undefined, json, 1],
  ['/v1/disks?limit=10000', undefined, json, 11],
  ['/v1/disks?limit=4294967295', undefined, json, 11],
  ['/v1/disks?limit=many', undefined, json, 1],
  ['/v1/disks', '65536', json, 1],
  ['/v1/disks', '1048576', json, 17],
  ['/v1/disks', '2', write, 1],
  ['/v1/disks', undefined, write, 17],
  ['/v1/disks', '1099511627776', json, 17],
  ['/ext/v1/image-uploads/x/content', '8388608', { ...write, encoding: 'bytes' } as const, 1],
])('%s with %s bytes has the expected cost', (path, length, op, cost) => {
  const url = new URL(path, 'http://localhost')
  const headers: Record<string, string> = length ? { 'content-length': length } : {}
  expect(costOf(op, url, { headers: new Headers(headers) } as Request)).toBe(cost)
})
