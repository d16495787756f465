import { expect, test } from 'vitest'
import { spanOf } from './ranges.ts'

test.each([
  ['bytes=0-0', { start: 0, length: 1 }],
  ['bytes=2-4', { start: 2, length: 3 }],
  ['bytes=7-', { start: 7, length: 3 }],
  ['bytes=9-400', { start: 9, length: 1 }],
  ['bytes=-4', { start: 6, length: 4 }],
  ['bytes=-400', { start: 0, length: 10 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
])('%s of ten bytes', (header, span) => expect(spanOf(header, 10)).toEqual(span))

test('no header asks for everything, and nothing of an empty file can be sent', () => {
  expect(spanOf(null, 10)).toBeUndefined()
  expect(spanOf('bytes=0-', 0)).toBe('unsatisfiable')
})

test.each([
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=4-2',
  'bytes=0-1,3-4',
  'lines=0-1',
  'bytes=a-b',
  'bytes=0--1',
])('refuses %j', (header) => expect(() => spanOf(header, 10)).toThrow('Failed to parse range request header'))
