import { expect, test } from 'vitest'
import { type Buffer, bufferText } from './buffer-text.ts'

/** A screen with this many columns, with lines wrapped as in a terminal. */
function screen(columns: number, lines: string[]): Buffer {
  const rows = lines.flatMap((line) => {
    const parts: string[] = []
    for (let at = 0; at === 0 || at < line.length; at += columns) parts.push(line.slice(at, at + columns))
    return parts.map((part, index) => ({
      isWrapped: index > 0,
      translateToString: (trim?: boolean) => (trim ? part.trimEnd() : part.padEnd(columns)),
    }))
  })
  return { length: rows.length, getLine: (row) => rows[row] }
}

test('gives lines as printed, without the empty rest of the screen', () => {
  expect(bufferText(screen(10, ['0123456789abc', '', 'end   ', '', '']))).toBe('0123456789abc\n\nend\n')
  expect(bufferText(screen(10, ['', '']))).toBe('')
})
