import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { NumberInput } from './NumberInput.tsx'
import { clamp, parseNumber, stepped, stripTyped } from './number-input.ts'

test.each([
  ['1,000', 1000],
  ['-4', 4],
  ['12e3', 123],
  ['1.5', 1.5],
  ['1.', 1],
  ['', undefined],
  ['.', undefined],
])('%j typed without negative values becomes %s', (text, expected) =>
  expect(parseNumber(stripTyped(text, false))).toBe(expected),
)

test('keeps a minus if the minimum is negative', () => expect(stripTyped('-4', true)).toBe('-4'))

test('leaving the field clamps the value', () => {
  expect(clamp(5000, 1, 1023)).toBe(1023)
  expect(clamp(0, 1, 1023)).toBe(1)
})

test('an empty field starts at the minimum', () => {
  expect(stepped(undefined, 1, 1, 10)).toBe(1)
  expect(stepped(10, 1, 1, 10)).toBe(10)
  expect(stepped(0.1, 0.2, 0)).toBe(0.3)
})

test.each([
  [1, ['Decrease']],
  [0, ['Decrease']],
  [5, []],
  [10, ['Increase']],
  [20, ['Increase']],
  [undefined, []],
])('at %s of 1 to 10 the disabled buttons are %j', (value, names) => {
  const html = renderToStaticMarkup(
    createElement(NumberInput, { value, min: 1, max: 10, onChange: () => undefined }),
  )
  const disabled = [...html.matchAll(/<button[^>]*aria-label="(\w+)"[^>]* disabled=""/g)]
  expect(disabled.map(([, name]) => name)).toEqual(names)
})
