import { expect, test } from 'vitest'
import type { Key } from './keys.ts'
import {
  edit,
  emptyLine,
  insert,
  type Line,
  MAX_LINE_CODE_POINTS,
  redraw,
  replaceLine,
} from './line-editor.ts'

/** The text with its cursor as a bar. */
const show = ({ text, cursor }: Line) => {
  const chars = Array.from(text)
  return `${chars.slice(0, cursor).join('')}|${chars.slice(cursor).join('')}`
}

const lineAt = (shown: string): Line => {
  const [before = '', rest = ''] = shown.split('|')
  return { text: before + rest, cursor: Array.from(before).length }
}

const E = 'e\u0301'

test.each([
  ['|', { text: 'a' }, 'a|', 'a'],
  ['ab|', { text: '漢' }, 'ab漢|', '漢'],
  ['a|c', { text: 'b' }, 'ab|c', 'bc\b'],
  ['|ab', { text: '😀' }, '😀|ab', '😀ab\b\b'],
  ['e|x', { text: '\u0301' }, `${E}|x`, '\u0301x\b'],
  ['|x', { text: '\u0301' }, '|x', '\u0007'],
  ['abc|', 'backspace', 'ab|', '\b\u001b[J'],
  ['ab|c', 'backspace', 'a|c', '\b\u001b[Jc\b'],
  ['|abc', 'backspace', '|abc', ''],
  [`a${E}|b`, 'backspace', 'a|b', '\b\u001b[Jb\b'],
  ['😀|', 'backspace', '|', '\b\u001b[J'],
  ['a|bc', 'delete', 'a|c', '\u001b[Jc\b'],
  ['abc|', 'delete', 'abc|', ''],
  [`|${E}b`, 'delete', '|b', '\u001b[Jb\b'],
  ['ab|c', 'left', 'a|bc', '\b'],
  ['|abc', 'left', '|abc', ''],
  [`a${E}|`, 'left', `a|${E}`, '\b'],
  ['a|bc', 'right', 'ab|c', 'b'],
  ['abc|', 'right', 'abc|', ''],
  [`|${E}a`, 'right', `${E}|a`, E],
  ['ab|c', 'home', '|abc', '\b\b'],
  ['a|bc', 'end', 'abc|', 'bc'],
  ['ab|cd', 'kill-before', '|cd', '\b\b\u001b[Jcd\b\b'],
  ['ab|cd', 'kill-after', 'ab|', '\u001b[J'],
  ['|', 'kill-before', '|', ''],
  ['ls  -l /etc  |', 'kill-word', 'ls  -l |', '\b\b\b\b\b\b\u001b[J'],
  ['one two|three', 'kill-word', 'one |three', '\b\b\b\u001b[Jthree\b\b\b\b\b'],
  ['word|', 'kill-word', '|', '\b\b\b\b\u001b[J'],
] as const satisfies [string, Key, string, string][])('in %s, %o gives %s', (before, key, after, output) => {
  const edited = edit(lineAt(before), key)
  expect(show(edited?.line ?? emptyLine)).toBe(after)
  expect(edited?.output).toBe(output)
})

test.each(['enter', 'up', 'tab', 'interrupt'] as const)('%s is not an editing key', (key) => {
  expect(edit(emptyLine, key)).toBeUndefined()
})

test('a full line rings the bell', () => {
  const full = insert(emptyLine, '😀'.repeat(MAX_LINE_CODE_POINTS)).line
  expect(full.cursor).toBe(MAX_LINE_CODE_POINTS)
  expect(edit(full, { text: 'x' })).toEqual({ line: full, output: '\u0007' })
})

test('a line is replaced from its cursor, and redrawn to the new cursor', () => {
  expect(replaceLine(lineAt('ab|c'), 'new')).toEqual({ line: lineAt('new|'), output: '\b\b\u001b[Jnew' })
  expect(redraw(lineAt(`a|b${E}`))).toBe(`ab${E}\b\b`)
})
