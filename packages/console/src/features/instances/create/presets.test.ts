import { GiB } from '@gantry/api/base/bytes.rules'
import { expect, test } from 'vitest'
import { hardwareWithin, isTooLarge, presetOf } from './presets.ts'

test.each([
  ['a rack', 256, 1024, { hardwareTab: 'General Purpose', preset: '2/8' }],
  ['a host with 6 GiB for machines', 8, 6, { hardwareTab: 'High CPU', preset: '2/4' }],
  ['a host with 3 GiB for machines', 8, 3, { hardwareTab: 'Custom', ncpus: 2, memory: 2 }],
  ['one vCPU and one GiB', 1, 1, { hardwareTab: 'Custom', ncpus: 1, memory: 1 }],
  ['a silo without quotas', 0, 0, {}],
])('a form begins with what fits into the quota of %s', (_, cpus, gib, expected) => {
  expect(hardwareWithin({ cpus, memory: gib * GiB })).toEqual(expected)
})

test('a preset within the quota is never too large, and none is while the quota is unknown', () => {
  expect(isTooLarge([2, 8], { cpus: 2, memory: 8 * GiB })).toBe(false)
  expect(isTooLarge([2, 8], { cpus: 1, memory: 8 * GiB })).toBe(true)
  expect(isTooLarge([64, 1536], undefined)).toBe(false)
})

test('a tab begins with its first preset that fits', () => {
  expect(presetOf('High Memory', undefined)).toBe('2/16')
  expect(presetOf('General Purpose', { cpus: 2, memory: 4 * GiB })).toBe('2/8')
})
