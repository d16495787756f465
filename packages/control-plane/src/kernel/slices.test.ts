import { expect, test } from 'vitest'
import { inSlices } from './slices.ts'

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
  [50, 100, [50], 50],
  [50, 20, [50], 20],
  [1000, 5000, [1000], 1000],
  [2500, 5000, [1000, 1000, 500], 2500],
  [10_000, 1200, [1000, 1000], 1200],
  [10, 0, [10], 0],
])('a page of %i of %i rows queries %o', async (limit, length, asked, count) => {
  const rows = table(length)
  const page = await inSlices(limit, rows.fetch)
  expect(page.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, index) => index))
  expect(rows.asked).toEqual(asked)
})

test('a page of wide rows ends early, but never without a row', async () => {
  const wide = await inSlices(10_000, table(10_000, 1024 * 1024).fetch)
  expect(wide).toHaveLength(32)
  const vast = await inSlices(10_000, table(3, 40 * 1024 * 1024).fetch)
  expect(vast).toHaveLength(1)
})
