import { expect, test } from 'vitest'
import { Failure } from '#/data/failure.ts'
import { afterChange, afterRenewal, type ShownFailure } from './use-failures.ts'

const failure = (message: string, statusCode = 400): Failure => new Failure({ message, statusCode })
const taken: ShownFailure = { failure: failure('name is taken'), field: 'name' }
const full: ShownFailure = { failure: failure('no room') }
const ended: ShownFailure = { failure: failure('session has ended', 401) }
const shown = [taken, full, ended]

test.each([
  ['the field of a failure', 'name', []],
  ['another field', 'size', [taken]],
  ['a field inside the field of a failure', 'name.0', []],
  ['all fields', undefined, []],
])('a change of %s keeps only failures that can still apply', (_, name, expected) => {
  expect(afterChange(shown, name)).toEqual(expected)
})

test('signing in again clears the failures of an expired session', () => {
  expect(afterRenewal(shown)).toEqual([taken, full])
})

test('keeps the identity of an empty list', () => {
  const none: ShownFailure[] = []
  expect(afterChange(none, 'name')).toBe(none)
  expect(afterRenewal(none)).toBe(none)
})
