import { expect, test } from 'vitest'

import { exactOption, filterOptions, MAX_SHOWN, offerOf, optionLeft } from './combobox.ts'

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

const subnets = ['backend-default', 'default', 'web'].map((label) => ({ value: label, label }))

test.each([
  ['', undefined, 'backend-default'],
  ['web', undefined, 'web'],
  ['web', 'def', 'backend-default'],
  ['', 'default', 'default'],
  ['', 'DEFAULT', 'default'],
  ['deleted', undefined, undefined],
  ['', 'zzz', undefined],
])('a box of the value %j with the text %j marks %j', (value, typed, expected) => {
  const { offered, marked } = offerOf({ options: subnets, value, typed, allowsCustom: false })
  expect(offered[marked]?.label).toBe(expected)
})

test.each([
  ['elsewhere', undefined, 'Custom: elsewhere'],
  ['def', undefined, 'Custom: def'],
  ['def', 'def', 'backend-default'],
  ['default', 'default', 'default'],
])('a box of the value %j with the text %j, which allows any text, marks %j', (value, typed, expected) => {
  const { offered, marked } = offerOf({ options: subnets, value, typed, allowsCustom: true })
  expect(offered[marked]?.label).toBe(expected)
})

test('a custom value offers what its text found', () => {
  const { offered } = offerOf({ options: subnets, value: 'def', typed: undefined, allowsCustom: true })
  expect(offered.map(({ label }) => label)).toEqual(['backend-default', 'default', 'Custom: def'])
})

test('the marked option is offered, however long the list', () => {
  const options = Array.from({ length: 130 }, (_, index) => ({ value: `${index}`, label: `disk-${index}` }))
  for (const box of [
    { value: '120', typed: undefined },
    { value: '', typed: 'disk-120' },
  ]) {
    const { offered, marked } = offerOf({ options, ...box, allowsCustom: false })
    expect(offered[marked]?.value).toBe('120')
  }
  const { offered, more } = offerOf({ options, value: '120', typed: undefined, allowsCustom: false })
  expect([offered.length, more]).toEqual([MAX_SHOWN, 30])
})
