import { expect, test } from 'vitest'

import { exactOption, filterOptions } from './combobox.ts'

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

test('an option is exact whatever its case and spaces', () => {
  expect(exactOption(options, 'ubuntu24.04')?.value).toBe('Ubuntu 24.04')
  expect(exactOption(options, 'ubuntu')).toBeUndefined()
})
