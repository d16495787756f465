import { expect, test } from 'vitest'
import { feed, type Key } from './keys.ts'

function keysOf(bytes: readonly number[]): { keys: Key[]; pending: number[] } {
  const keys: Key[] = []
  let pending: number[] = []
  for (const byte of bytes) {
    const fed = feed(pending, byte)
    pending = fed.pending
    if (fed.key !== undefined) keys.push(fed.key)
  }
  return { keys, pending }
}

const codes = (text: string) => Array.from(new TextEncoder().encode(text))
const shown = (keys: Key[]) => keys.map((key) => (typeof key === 'object' ? key.text : `<${key}>`)).join('')

test.each([
  ['text', 'aé漢😀', 'aé漢😀'],
  ['CR', '\r', '<enter>'],
  ['LF', '\n', '<enter>'],
  ['CRLF', '\r\n', '<enter>'],
  ['CR CR LF LF', '\r\r\n\n', '<enter><enter><enter>'],
  ['text after CR', '\ra', '<enter>a'],
  ['both backspaces', '\b\u007f', '<backspace><backspace>'],
  ['arrows', '\u001b[A\u001b[B\u001b[C\u001b[D', '<up><down><right><left>'],
  ['application arrows', '\u001bOA\u001bOB\u001bOC\u001bOD', '<up><down><right><left>'],
  ['Home', '\u001b[H\u001bOH\u001b[1~\u001b[7~\u0001', '<home><home><home><home><home>'],
  ['End', '\u001b[F\u001bOF\u001b[4~\u001b[8~\u0005', '<end><end><end><end><end>'],
  ['Delete', '\u001b[3~', '<delete>'],
  ['kills', '\u000b\u0015\u0017', '<kill-after><kill-before><kill-word>'],
  ['the others', '\t\f\u0003\u0004', '<tab><clear-screen><interrupt><end-of-input>'],
  ['bracketed paste', '\u001b[200~ls\u001b[201~', 'ls'],
  ['unknown sequences', '\u001b[1;5C\u001b[15~\u001bOP\u001bx.', '.'],
  ['an endless sequence', `\u001b[${'1;'.repeat(500)}Ax`, 'x'],
  ['an aborted sequence', '\u001b[1\u0003\u001b\u001b[A', '<interrupt><up>'],
  ['unused controls', '\u0000\u0002\u001a\u001c', '<left>'],
  ['C1 controls and format characters', '\u0085\u009b\u200b\u202e\u2028a', 'a'],
])('reads %s', (_, input, expected) => {
  const { keys, pending } = keysOf(codes(input))
  expect(shown(keys)).toBe(expected)
  expect(pending).toEqual(input === '\r' ? [0x0d] : [])
})

test.each([
  ['a stray continuation', [0x80, 0x61]],
  ['a cut sequence', [0xe6, 0xbc, 0x61]],
  ['an overlong form', [0xe0, 0x80, 0xaf, 0x61]],
  ['a surrogate', [0xed, 0xa0, 0x80, 0x61]],
  ['an impossible lead', [0xff, 0xc0, 0xf8, 0x61]],
  ['a code point that is too large', [0xf4, 0xbf, 0xbf, 0xbf, 0x61]],
])('drops %s', (_, bytes) => expect(shown(keysOf(bytes).keys)).toBe('a'))

test('keeps incomplete input', () => {
  expect(keysOf([0xf0, 0x9f, 0x98])).toEqual({ keys: [], pending: [0xf0, 0x9f, 0x98] })
  expect(keysOf(codes('\u001b[3'))).toEqual({ keys: [], pending: codes('\u001b[3') })
})
