import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'

import { NumberInput } from './NumberInput.tsx'
import { stepped } from './number-input.ts'

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
