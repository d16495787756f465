import { GiB, TiB } from '@gantry/api/base/bytes.rules'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import {
  bytesToGib,
  bytesToTib,
  formatBigNumber,
  formatCount,
  formatFileSize,
  formatSeries,
  percentOf,
  splitPercent,
} from './format-amounts.ts'
import { formatBytes, formatDistance, formatMemory, sentenceCase, truncate } from './format.ts'

describe('sizes', () => {
  test.each([
    [0, '0 B'],
    [1023, '1,023 B'],
    [1024, '1 KiB'],
    [1024 * 1023.999, '1 MiB'],
    [1.5 * 1024 ** 2, '1.5 MiB'],
    [10 * GiB, '10 GiB'],
    [2.346 * TiB, '2.35 TiB'],
    [5000 * TiB, '5,000 TiB'],
  ])('%d bytes read %s', (bytes, expected) => expect(formatBytes(bytes)).toBe(expected))

  test.each([
    [1536 * GiB, '1,536 GiB'],
    [TiB, '1,024 GiB'],
    [1.5 * 1024 ** 2, '1.5 MiB'],
  ])('%d bytes of memory read %s', (bytes, expected) => expect(formatMemory(bytes)).toBe(expected))

  test.each([
    [3 * 1024 ** 2, '3.00 MiB'],
    [1536, '1.50 KiB'],
    [32, '32 B'],
    [0, '0 B'],
  ])('a file of %d bytes has %s: two decimals, but none of a byte', (bytes, expected) =>
    expect(formatFileSize(bytes)).toBe(expected),
  )
  test('GiB and TiB drop trailing zeros', () => {
    expect(bytesToGib(1.5 * GiB)).toBe(1.5)
    expect(bytesToTib(1.239 * TiB)).toBe(1.24)
  })
})

test.each([
  [0, '0'],
  [999_999, '999,999'],
  [12.3456, '12.35'],
  [1_200_000, '1.2M'],
  [492_000_000_000n, '492B'],
  [894_300_000_000_000n, '894.3T'],
  [1_300_000_000_000_000n, '1.3e15'],
  [23_100_000_000_000_000_000_000_000_000n, '23.1e27'],
])('%s reads %s', (value, expected) => expect(formatBigNumber(value).text).toBe(expected))

test('an abbreviated number keeps its full form', () => {
  expect(formatBigNumber(1_234_567).full).toBe('1,234,567')
  expect(formatBigNumber(1234).full).toBeUndefined()
})

test.each([
  [4.997, '5', ''],
  [67.105, '67', '.11'],
  [100, '100', ''],
  [0.5, '0', '.5'],
])('%d %% splits into %s and %s', (percent, whole, decimals) =>
  expect(splitPercent(percent)).toEqual({ whole, decimals }),
)

test('percentages follow the locale', async () => {
  const German = class extends Intl.NumberFormat {
    constructor(_locales?: unknown, options?: Intl.NumberFormatOptions) {
      super('de', options)
    }
  }
  vi.stubGlobal('Intl', Object.create(Intl, { NumberFormat: { value: German } }))
  // The modules keep their formats.
  vi.resetModules()
  onTestFinished(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })
  const { formatPercent, splitPercent } = await import('./format-amounts.ts')
  expect(formatPercent(1234.5)).toBe('1.234,5%')
  expect(splitPercent(1234.5)).toEqual({ whole: '1.234', decimals: ',5' })
})

test('percentages of big integers keep two decimals', () => {
  expect(percentOf(1n, 3n)).toBe(33.33)
  expect(percentOf(1, 4)).toBe(25)
  expect(percentOf(0, 0)).toBeUndefined()
})

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a or b'],
  [['a', 'b', 'c'], 'a, b, or c'],
])('%j reads %s', (words, expected) => expect(formatSeries(words, 'or')).toBe(expected))

test('counts take a plural unless there is exactly one', () => {
  expect([0, 1, 2].map((count) => formatCount(count, 'disk'))).toEqual(['0 disks', '1 disk', '2 disks'])
})

test.each([
  [12_000, '12s'],
  [59 * 60_000, '59m'],
  [3 * 3_600_000, '3h'],
  [42 * 86_400_000, '42d'],
  [130 * 86_400_000, '4mo'],
  [400 * 86_400_000, '1y'],
])('%d ms read %s', (ms, expected) => expect(formatDistance(ms)).toBe(expected))

test.each([
  ['importing_from_url', 'Importing from URL'],
  ['importing_from_bulk_writes', 'Importing from bulk writes'],
  ['running', 'Running'],
  ['login_saml', 'Login SAML'],
  ['networking_bgp_config_create', 'Networking BGP config create'],
])('%s reads %s', (state, expected) => expect(sentenceCase(state)).toBe(expected))

test('truncation counts its ellipsis', () => {
  expect(truncate('abcdefghij', 10)).toBe('abcdefghij')
  expect(truncate('abcdefghijk', 10)).toBe('abcdefgh…')
  expect(truncate('abcdefghijk', 10, 'middle')).toBe('abcd…hijk')
  const faces = `a${'😀'.repeat(60)}`
  expect(truncate(faces, 61)).toBe(faces)
  for (const at of ['end', 'middle'] as const)
    for (let max = 3; max < 61; max++) expect(truncate(faces, max, at)).not.toMatch(/\p{Surrogate}/u)
})
