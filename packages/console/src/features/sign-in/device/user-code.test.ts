import { expect, test } from 'vitest'
import { Failure } from '#/data/failure.ts'
import { boxesOf, paste, problemText, spread, typedInto } from './user-code.ts'

/** Boxes as text, with `.` for an empty one. */
const shown = (boxes: readonly string[]): string => boxes.map((box) => box || '.').join('')

test.each([
  ['', '........'],
  ['abc', 'ABC.....'],
  ['BCD-FGHJK', 'BCDFGHJK'],
  ['bcdf-ghjk', 'BCDFGHJK'],
  ['BCDFGHJKLM', 'BCDFGHJK'],
  ['12é!', '........'],
])('the code %j fills %s', (code, boxes) => expect(shown(boxesOf(code))).toBe(boxes))

test.each([
  ['a letter into the first box', '', 0, 'a', 'A.......', 1],
  ['a digit into no box', 'AB', 2, '7', 'AB......', 2],
  ['a letter over another', 'ABC', 1, 'z', 'AZC.....', 2],
  ['a letter into the last box', 'ABCDEFG', 7, 'h', 'ABCDEFGH', 8],
])('typing puts %s', (_what, code, at, text, boxes, next) => {
  const result = spread(boxesOf(code), at, text)
  expect([shown(result.boxes), result.next]).toEqual([boxes, next])
})

test.each([
  ['a complete code over another, from any box', 'ZZZZZZZZ', 5, 'bcd-fghjk', 'BCDFGHJK', 8],
  ['half a code from the first box on if all are empty', '', 3, 'BCD-', 'BCD.....', 3],
  ['half a code from its box on', 'BCD', 3, 'fgh', 'BCDFGH..', 6],
])('pasting puts %s', (_what, code, at, text, boxes, next) => {
  const result = paste(boxesOf(code), at, text)
  expect([shown(result.boxes), result.next]).toEqual([boxes, next])
})

test.each([
  ['', 'a', 'a'],
  ['A', 'b', 'b'],
  ['A', 'Ab', 'b'],
  ['A', 'bA', 'b'],
  ['A', 'AA', 'A'],
  ['', 'bcdf', 'bcdf'],
])('a box with %j that becomes %j was given %j', (box, text, given) =>
  expect(typedInto(box, text)).toBe(given),
)

test.each([
  [400, 'Code is invalid'],
  [403, 'Code is invalid'],
  [404, 'Code is invalid'],
  [409, 'Code is invalid'],
  [429, 'Too many attempts.'],
  [0, 'No answer'],
  [503, 'No answer'],
])('an answer of %i to a code: %s', (statusCode, text) =>
  expect(problemText({ failure: new Failure({ message: 'No answer', statusCode }) })).toBe(text),
)
