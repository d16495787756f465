import { describe, expect, test } from 'vitest'
import { seeded } from '@gantry/control-plane/testing/seeded'
import type { Points } from '../points.ts'
import { decodeBlock, encodeBlock, type PointsBySeries } from './codec.ts'

const from = Date.parse('2026-01-01T00:00:00Z')
const regular = (count: number, stepMs = 10_000) =>
  Array.from({ length: count }, (_, index) => from + index * stepMs)
const gauge = (values: Points['values'], times = regular(values.length)): Points => ({
  times,
  starts: null,
  values,
})

describe('a block decodes to the encoded samples', () => {
  test.each<[string, Points]>([
    ['a counter', { times: regular(3), starts: [from, from, from], values: [0, 5e9, 1.2e10] }],
    ['a counter that restarts', { times: regular(3), starts: [1, 1, from], values: [900, 950, 4] }],
    ['one sample', gauge([7])],
    ['negative and falling values', gauge([-5, 4, -9_000_000_000, 0])],
    ['decimals', gauge([41.25, 41.5, -0.125])],
    ['doubles', gauge([Math.PI, 1e-9, 1e300])],
    ['integers beyond 2^50', gauge([2 ** 53 - 2, 0, 2 ** 53 - 2])],
    ['missing samples', gauge([null, 1, null, 2.5, null])],
    ['only missing samples', gauge([null, null])],
    ['irregular times', gauge([1, 2, 3, 4], [5, 6, 90, from])],
  ])('%s', (_, points) => {
    expect(decodeBlock(encodeBlock(new Map([[3, points]])))).toEqual(new Map([[3, points]]))
  })

  test('any of a thousand blocks', () => {
    const below = seeded(7)
    for (let round = 0; round < 1000; round++) {
      const block: PointsBySeries = new Map()
      for (let series = 0; series < 1 + below(4); series++) {
        const count = 1 + below(20)
        let at = from
        const times = Array.from({ length: count }, () => (at += 1 + below(20_000)))
        const form = below(3)
        const values = times.map(() =>
          below(9) === 0 ? null : form === 0 ? below(1e9) - 5e8 : below(1e6) / (form === 1 ? 8 : 7),
        )
        block.set(series, { times, starts: below(2) === 0 ? null : times.map(() => below(3)), values })
      }
      expect(decodeBlock(encodeBlock(block))).toEqual(block)
    }
  })
})

test('only wanted series are returned', () => {
  const block = new Map([1, 2, 3].map((series) => [series, gauge([series])]))
  expect([...decodeBlock(encodeBlock(block), new Set([2])).keys()]).toEqual([2])
})

test('a counter at regular times takes less than two bytes a sample', () => {
  const below = seeded(3)
  let total = 0
  const values = Array.from({ length: 360 }, () => (total += (4000 + below(60)) * 1_000_000))
  const times = regular(360)
  const bytes = encodeBlock(new Map([[0, { times, starts: times.map(() => from), values }]]))
  expect(bytes.length).toBeLessThan(2 * 360)
})

test('a block that ends early is refused', () => {
  const bytes = encodeBlock(new Map([[0, gauge([1, 2, 3])]]))
  expect(() => decodeBlock(bytes.slice(0, -1))).toThrow('ends early')
})
