import { expect, test } from 'vitest'
import { inSlices } from './row-batches.ts'

/** A table of `length` rows with `chars` characters each, which records its queries. */
function table(length: number, chars = 1) {
  const asked: number[] = []
  const text = 'x'.repeat(chars)
  const fetch = async (after: { id: number } | undefined, count: number) => {
    asked.push(count)
    const from = after ? after.id + 1 : 0
    return Array.from({ length: Math.min(count, length - from) }, (_, index) => ({ id: from + index, text }))
  }
  return { asked, fetch }
}

test.each([
  [50, 100, [51], 50, true],
  [50, 51, [51], 50, true],
  [50, 50, [51], 50, false],
  [50, 20, [51], 20, false],
  [1000, 5000, [1001], 1000, true],
  [2500, 5000, [1001, 1001, 501], 2500, true],
  [2500, 2500, [1001, 1001, 501], 2500, false],
  [10_000, 1200, [1001, 1001], 1200, false],
  [10, 0, [11], 0, false],
])('a page of %i of %i rows queries %o', async (limit, length, asked, count, hasMore) => {
  const rows = table(length)
  const page = await inSlices(limit, rows.fetch)
  expect(page.rows.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, index) => index))
  expect(page.hasMore).toBe(hasMore)
  expect(rows.asked).toEqual(asked)
})

test('a page of wide rows ends early, but never without a row', async () => {
  const wide = await inSlices(10_000, table(10_000, 1024 * 1024).fetch)
  expect(wide).toMatchObject({ rows: { length: 32 }, hasMore: true })
  const vast = await inSlices(10_000, table(3, 40 * 1024 * 1024).fetch)
  expect(vast).toMatchObject({ rows: { length: 1 }, hasMore: true })
  const only = await inSlices(10_000, table(1, 40 * 1024 * 1024).fetch)
  expect(only).toMatchObject({ rows: { length: 1 }, hasMore: false })
})
