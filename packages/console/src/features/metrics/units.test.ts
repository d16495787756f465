import { expect, test } from 'vitest'
import { fixedUnit, unitFor } from './units.ts'

test.each([
  [0, 'Bytes'],
  [1023, 'Bytes'],
  [1024, 'KiB'],
  [1024 ** 2 * 5, 'MiB'],
  [1024 ** 5 * 3, 'TiB'],
])('%d bytes are shown in %s', (largest, label) => {
  expect(unitFor('bytes', largest).label).toBe(label)
})

test('counts keep the word and shorten the marks', () => {
  const unit = unitFor('count', 4_300_000)
  expect([unit.label, unit.tick(4.3), unit.value(4.3)]).toEqual([
    'Count',
    `${(4.3).toLocaleString()}M`,
    (4_300_000).toLocaleString(),
  ])
})

test('percent say so on the axis and in full', () => {
  const unit = unitFor('percent', 58.34)
  expect([unit.label, unit.tick(60), unit.value(58.34)]).toEqual(['%', '60%', `${(58.34).toLocaleString()}%`])
})

test('a count of vCPUs has no unit behind it, an amount has', () => {
  expect(fixedUnit('Count', 1).value(8)).toBe('8')
  expect(fixedUnit('GiB', 1024 ** 3).value(8)).toBe('8 GiB')
})
