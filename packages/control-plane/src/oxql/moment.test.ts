import { expect, it } from 'vitest'
import { seeded } from '../testing/seeded.ts'
import { timeTexts } from './moment.ts'

it('writes times as the platform does, and microseconds where there are any', () => {
  const below = seeded(3)
  const milliseconds = Array.from({ length: 500 }, () => below(2 ** 31) * below(2000) - below(2 ** 31) * 1000)
  expect(timeTexts(milliseconds.map((time) => time * 1000))).toEqual(
    milliseconds.map((time) => new Date(time).toISOString()),
  )
  expect(timeTexts([1, -1, 86_400_000_000 - 1, 86_400_000_000])).toEqual([
    '1970-01-01T00:00:00.000001Z',
    '1969-12-31T23:59:59.999999Z',
    '1970-01-01T23:59:59.999999Z',
    '1970-01-02T00:00:00.000Z',
  ])
})
