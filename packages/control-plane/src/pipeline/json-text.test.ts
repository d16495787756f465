import { expect, test } from 'vitest'
import { jsonText } from './json-text.ts'
import { pieceBytes } from './pieces.ts'

const row = (index: number) => ({
  id: index,
  name: `row "${index}"`,
  time: new Date(index),
  none: undefined,
  nested: { é: [null, undefined, true, 1.5] },
})
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index))

test.each([
  ['nothing', null],
  ['a row', row(1)],
  ['a page', { items: rows(10), next_page: 'x' }],
  ['a long page', { items: rows(10_000), next_page: null }],
  ['numbers', [Array.from({ length: 100_000 }, (_, index) => index / 3)]],
  ['a deep value', { a: { b: { c: rows(3000), d: undefined, e: {} } }, f: [] }],
  ['a long text', { text: 'é\n'.repeat(200_000) }],
  ['a long list with gaps', [undefined, ...rows(3000), undefined, () => 1]],
])('%s is written as JSON.stringify writes it', async (_, value) => {
  const expected = JSON.stringify(value)
  const written = await jsonText(value)
  const decoder = new TextDecoder()
  const { text, length } =
    typeof written === 'string'
      ? { text: written, length: new TextEncoder().encode(written).length }
      : { text: written.pieces.map((piece) => decoder.decode(piece)).join(''), length: written.length }
  expect(text).toBe(expected)
  expect(length).toBe(new TextEncoder().encode(expected).length)
})

test('a long page has many pieces, and a short one none', async () => {
  expect(await jsonText({ items: rows(10) })).toBeTypeOf('string')
  const long = await jsonText({ items: rows(10_000) })
  if (typeof long === 'string') throw new Error('not in pieces')
  expect(long.pieces.length).toBeGreaterThan(10)
  expect(Math.max(...long.pieces.map(({ length }) => length))).toBeLessThan(8 * pieceBytes)
})
