import { expect, test } from 'vitest'
import {
  chipsOf,
  suggestionsAt,
  termOf,
  valueText,
  withoutChip,
  withoutTerm,
  withTerm,
} from './suggestions.ts'

const labels = (text: string): string | undefined =>
  suggestionsAt('instance', text, false)
    ?.options.map(({ label }) => label)
    .join(' ')

test.each([
  ['', undefined],
  ['web', ''],
  ['sta', 'state:'],
  ['cpu:2 -sta', 'state:'],
  ['(me', 'memory:'],
  ['cr', 'created<1h created<1d created<7d created>30d'],
  ['prot', 'protected:yes protected:no'],
  ['state:st', 'starting stopping stopped'],
  ['state:stopped,st', 'starting stopping'],
  ['protected:', 'yes no'],
  ['image:', 'none'],
  ['image:deb', ''],
  ['colour:', undefined],
  ['"sta', undefined],
  ['state:stopped ', undefined],
])('after "%s" come %s', (text, expected) => expect(labels(text)).toBe(expected))

test('values of the server are asked for by what is typed of them', () => {
  expect(suggestionsAt('instance', 'state:failed image:deb', false)).toMatchObject({
    from: 19,
    values: { field: 'image', prefix: 'deb' },
  })
  expect(valueText('instance', 'image', 'debian-13')).toBe('debian-13')
  expect(valueText('image', 'os', 'Plan 9')).toBe('"Plan 9"')
  expect(valueText('instance', 'memory', String(8 * 1024 ** 3))).toBe('8GiB')
  expect(valueText('instance', 'memory', String(512 * 1024 ** 2))).toBe('512MiB')
})

test.each([
  ['', 'state:failed', 'state:failed'],
  ['web state:stopped cpu:2', 'state:failed', 'web cpu:2 state:failed'],
  ['web state:stopped', '', 'web'],
  ['a or b', 'state:failed', '(a or b) state:failed'],
  ['-state:stopped sort:-cpu', 'state:failed', '-state:stopped state:failed sort:-cpu'],
  ['memory>', 'state:failed', 'memory> state:failed'],
])('"%s" with %s is %s', (text, term, expected) => expect(withTerm(text, 'state', term)).toBe(expected))

test('a term can be read and removed', () => {
  expect(termOf('web state:failed', 'state')?.values).toEqual([{ text: 'failed', isQuoted: false }])
  expect(termOf('state:failed state:stopped', 'state')).toBe(undefined)
  expect(withoutTerm('web state:failed (a or b)', '(a or b)')).toBe('web state:failed (a or b)')
  expect(withoutTerm('web state:failed (a or b)', 'a or b')).toBe('web state:failed')
})

test('a field that only operators may ask for is offered to nobody else', () => {
  const offered = (seesFleet: boolean) =>
    suggestionsAt('instance', 'sle', seesFleet)?.options.map(({ label }) => label)
  expect(offered(true)).toEqual(['sled:'])
  expect(offered(false)).toEqual([])
  expect(suggestionsAt('instance', 'sled:BRM', false)?.values).toBeUndefined()
})

test('the terms of a filter are removed one by one, and its order too', () => {
  const text = 'state:failed  -name:"a b" (web or db) sort:-cpu state:failed'
  const chips = ['state:failed', '-name:"a b"', 'web or db', 'state:failed', 'sort:-cpu']
  expect(chipsOf(text)).toEqual(chips)
  expect(withoutChip(text, 0)).toBe('-name:"a b" (web or db) state:failed sort:-cpu')
  expect(withoutChip(text, 2)).toBe('state:failed -name:"a b" state:failed sort:-cpu')
  expect(withoutChip(text, 4)).toBe('state:failed -name:"a b" (web or db) state:failed')
  expect(withoutChip('web or db sort:cpu', 0)).toBe('sort:cpu')
  expect(withoutChip('state:failed', 0)).toBe('')
  // What cannot be read stays for the field to tell of.
  expect(chipsOf('state:')).toEqual([])
  expect(withoutChip('state:', 0)).toBe('state:')
})
