import { expect, test } from 'vitest'

import { exactOption, filterOptions, optionLeft } from './combobox.ts'

const options = ['debian-13-base', 'Ubuntu 24.04', 'alpine'].map((label) => ({ value: label, label }))

test.each([
  ['', ['debian-13-base', 'Ubuntu 24.04', 'alpine']],
  ['ubuntu24', ['Ubuntu 24.04']],
  ['U B U', ['Ubuntu 24.04']],
  ['an', ['debian-13-base']],
  ['IN', ['alpine']],
  ['zzz', []],
])('%j finds %j in the original order', (query, expected) =>
  expect(filterOptions(options, query).map(({ label }) => label)).toEqual(expected),
)

test('an option matches exactly whatever its case and spaces', () => {
  expect(exactOption(options, 'ubuntu24.04')?.value).toBe('Ubuntu 24.04')
  expect(exactOption(options, 'ubuntu')).toBeUndefined()
})

const twins = [
  { value: '1', label: 'web' },
  { value: '2', label: 'db' },
  { value: '3', label: 'db' },
  { value: '4', label: 'old', disabled: true },
]

test.each([
  ['db', '1', '2'],
  ['DB', '', '2'],
  ['db', '3', undefined],
  ['d', '1', undefined],
  ['', '1', undefined],
  ['old', '1', undefined],
])('typing %j while %j is selected, then leaving, selects %j', (typed, value, expected) =>
  expect(optionLeft(twins, typed, value)?.value).toBe(expected),
)
