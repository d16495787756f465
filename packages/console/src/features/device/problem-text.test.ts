import { expect, test } from 'vitest'
import { Failure } from '#/data/failure.ts'
import { problemText } from './problem-text.ts'

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
