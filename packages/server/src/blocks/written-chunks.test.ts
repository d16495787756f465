import { describe, expect, test } from 'vitest'
import { CHUNK } from './block-paths.ts'
import { writtenChunks } from './written-chunks.ts'

const extent = (start: number, length: number, more: { data?: boolean; zero?: boolean } = {}) =>
  JSON.stringify({ start, length, depth: 0, present: true, zero: false, data: true, offset: start, ...more })

/** Takes the output in pieces of this length, which cut lines anywhere. */
function chunksOf(output: string, size: number, pieceLength = 50): number[] {
  const written = writtenChunks(size)
  for (let at = 0; at < output.length; at += pieceLength)
    written.take(Buffer.from(output.slice(at, at + pieceLength)))
  return [...written.end()]
}

describe('the chunks of a raw file that hold more than holes', () => {
  test('are those that an extent with data touches', () => {
    const output = `[${extent(0, 10)},\n${extent(10, 3 * CHUNK, { data: false, zero: true })},\n${extent(
      3 * CHUNK + 10,
      CHUNK,
    )}]\n`
    expect(chunksOf(output, 6 * CHUNK)).toEqual([1, 0, 0, 1, 1, 0])
  })

  test.each([
    ['no data', { data: false, zero: false }],
    ['zeros', { data: true, zero: true }],
  ])('exclude an extent of %s', (_, more) => {
    expect(chunksOf(`[${extent(0, 2 * CHUNK, more)}]\n`, 2 * CHUNK)).toEqual([0, 0])
  })

  test('include the last extent without a line break', () => {
    expect(chunksOf(`[${extent(0, CHUNK)}]`, CHUNK)).toEqual([1])
  })

  test('are none of an empty file', () => {
    expect(chunksOf('[]\n', 0)).toEqual([])
  })

  test('are unknown if the output is no list of extents', () => {
    expect(() => chunksOf('[{"start": "0"}]\n', CHUNK)).toThrow('expected number')
    expect(() => chunksOf('qemu-img: no such file\n', CHUNK)).toThrow('JSON')
    expect(() => chunksOf('x'.repeat(5000), CHUNK)).toThrow('a line without an end')
  })
})
