import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defaultSettings } from '../settings.ts'
import { Admission, costOf } from './admission.ts'

function admission(limits: Partial<typeof defaultSettings.limits>) {
  let now = 1_000_000
  const settings = { ...defaultSettings, limits: { ...defaultSettings.limits, ...limits } }
  const gate = new Admission({ settings, clock: () => new Date(now) })
  return { gate, pass: (ms: number) => (now += ms) }
}

describe('requests of one user', () => {
  test('are admitted in a burst, then at a steady rate', async () => {
    const { gate, pass } = admission({ requests_per_second: 2, request_burst: 3 })
    for (let count = 0; count < 3; count++) (await gate.enter('ada', 1))()
    await expect(gate.enter('ada', 1)).rejects.toMatchObject({
      code: 'TooManyRequests',
      extra: {
        retryAfter: 1,
        help: 'You may send 2 requests a second, and 3 at once. Wait 1 second, then try again.',
      },
    })
    // Other users are unaffected.
    ;(await gate.enter('grace', 1))()
    pass(500)
    ;(await gate.enter('ada', 1))()
    await expect(gate.enter('ada', 1)).rejects.toThrow('too many requests')
    pass(3_600_000)
    for (let count = 0; count < 3; count++) (await gate.enter('ada', 1))()
    await expect(gate.enter('ada', 1)).rejects.toThrow('too many requests')
  })

  test('gain and lose no tokens when the clock goes back', async () => {
    const { gate, pass } = admission({ requests_per_second: 1, request_burst: 2 })
    ;(await gate.enter('ada', 1))()
    pass(-86_400_000)
    ;(await gate.enter('ada', 1))()
    await expect(gate.enter('ada', 1)).rejects.toMatchObject({ extra: { retryAfter: 1 } })
    pass(1000)
    ;(await gate.enter('ada', 1))()
  })

  test('that cost more than a burst are admitted once the bucket is full', async () => {
    const { gate } = admission({ requests_per_second: 1, request_burst: 5 })
    ;(await gate.enter('ada', 50))()
    await expect(gate.enter('ada', 1)).rejects.toThrow('too many requests')
  })

  test('queue when too many are running, and are refused when too many are queued', async () => {
    const { gate } = admission({ requests_at_once: 2 })
    const order: number[] = []
    const entered = Array.from({ length: 22 }, async (_, index) => {
      const leave = await gate.enter('ada', 1)
      order.push(index)
      return leave
    })
    await Promise.resolve()
    await expect(gate.enter('ada', 1)).rejects.toMatchObject({
      extra: { help: expect.stringMatching(/^You have 2 requests running and 20 waiting\. /) },
    })
    ;(await gate.enter('grace', 1))()
    expect(order).toEqual([0, 1])
    for (const one of entered) {
      const leave = await one
      leave()
      // A second call must not free another slot.
      leave()
    }
    expect(order).toEqual(entered.map((_, index) => index))
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
