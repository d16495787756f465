import { expect, test, vi } from 'vitest'
import { Failure } from './failure.ts'
import { createQueryClient, refusedJustNow, shareUnchanged } from './query-client.ts'

const page = (name: string) => ({
  items: [
    { id: '1', name: 'web', timeCreated: new Date('2025-11-20T10:00:00Z') },
    { id: '2', name, timeCreated: new Date('2025-11-20T11:00:00Z') },
  ],
})

test('only a refusal for a missing role is remembered, and not for long', async () => {
  const client = createQueryClient()
  const failing = async (statusCode: number) => {
    const queryKey = [statusCode]
    const queryFn = () => Promise.reject(new Failure({ message: 'no', statusCode }))
    await client.fetchQuery({ queryKey, queryFn }).catch(() => undefined)
    return queryKey
  }
  const refused = await failing(403)
  expect(refusedJustNow(client, refused)).toMatchObject({ statusCode: 403 })
  expect(refusedJustNow(client, await failing(500))).toBe(undefined)
  expect(refusedJustNow(client, ['never asked'])).toBe(undefined)
  vi.useFakeTimers({ now: Date.now() + 2001 })
  expect(refusedJustNow(client, refused)).toBe(undefined)
  vi.useRealTimers()
})

test('an equal answer keeps the old object', () => {
  const before = page('db')
  expect(shareUnchanged(before, page('db'))).toBe(before)
})

test('unchanged rows keep their identity', () => {
  const before = page('db')
  const after = shareUnchanged(before, page('cache')) as typeof before
  expect(after.items[0]).toBe(before.items[0])
  expect(after.items[1]).toEqual(page('cache').items[1])
})

test.each([
  [{ a: 1 }, {}],
  [{}, { a: undefined }],
  [[1, 2], [1]],
  [null, { a: 1 }],
  [{ a: 1 }, null],
])('%j becomes %j', (before, after) => expect(shareUnchanged(before, after)).toEqual(after))
