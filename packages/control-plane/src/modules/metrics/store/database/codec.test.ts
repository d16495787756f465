import { describe, expect, test } from 'vitest'
import { seeded } from '@gantry/control-plane/testing/seeded'
import { decodeLane, encodeLane, type LanePoints, type Points } from './codec.ts'

const from = Date.parse('2026-01-01T00:00:00Z')
const regular = (count: number, stepMs = 10_000) =>
  Array.from({ length: count }, (_, index) => from + index * stepMs)
const gauge = (values: Points['values'], times = regular(values.length)): Points => ({
  times,
  starts: null,
  values,
})

describe('a lane decodes to the encoded samples', () => {
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
    expect(decodeLane(encodeLane(new Map([[3, points]])))).toEqual(new Map([[3, points]]))
  })

  test('any of a thousand lanes', () => {
    const below = seeded(7)
    for (let round = 0; round < 1000; round++) {
      const lane: LanePoints = new Map()
      for (let slot = 0; slot < 1 + below(4); slot++) {
        const count = 1 + below(20)
        let at = from
        const times = Array.from({ length: count }, () => (at += 1 + below(20_000)))
        const form = below(3)
        const values = times.map(() =>
          below(9) === 0 ? null : form === 0 ? below(1e9) - 5e8 : below(1e6) / (form === 1 ? 8 : 7),
        )
        lane.set(slot, { times, starts: below(2) === 0 ? null : times.map(() => below(3)), values })
      }
      expect(decodeLane(encodeLane(lane))).toEqual(lane)
    }
  })
})

test('only wanted slots are returned', () => {
  const lane = new Map([1, 2, 3].map((slot) => [slot, gauge([slot])]))
  expect([...decodeLane(encodeLane(lane), new Set([2])).keys()]).toEqual([2])
})

test('a counter at regular times takes less than two bytes a sample', () => {
  const below = seeded(3)
  let total = 0
  const values = Array.from({ length: 360 }, () => (total += (4000 + below(60)) * 1_000_000))
  const times = regular(360)
  const bytes = encodeLane(new Map([[0, { times, starts: times.map(() => from), values }]]))
  expect(bytes.length).toBeLessThan(2 * 360)
})

test('a block that ends early is refused', () => {
  const bytes = encodeLane(new Map([[0, gauge([1, 2, 3])]]))
  expect(() => decodeLane(bytes.slice(0, -1))).toThrow('ends early')
})
