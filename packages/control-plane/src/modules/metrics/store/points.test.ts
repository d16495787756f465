import { describe, expect, test } from 'vitest'
import { between, spread, downsample } from './points.ts'

const second = 1000
const at = (...seconds: number[]) => seconds.map((one) => one * second)

describe('downsampling to one sample a minute', () => {
  test('keeps the last total of each minute', () => {
    const points = { times: at(10, 30, 60, 70, 120), starts: at(0, 0, 0, 0, 0), values: [1, 2, 3, 4, 5] }
    expect(downsample(points, 60 * second)).toEqual({ times: at(60, 120), starts: at(0, 0), values: [3, 5] })
  })
  test('keeps the last total before a restart', () => {
    const points = { times: at(10, 20, 30), starts: at(0, 0, 25), values: [100, 160, 5] }
    expect(downsample(points, 60 * second)).toEqual({
      times: at(20, 30),
      starts: at(0, 25),
      values: [160, 5],
    })
  })
  test('takes the mean of a gauge, ignoring missing samples', () => {
    const points = { times: at(20, 40, 60, 120), starts: null, values: [1, null, 2, null] }
    expect(downsample(points, 60 * second)).toEqual({ times: at(60, 120), starts: null, values: [1.5, null] })
  })
})

describe('spreading over the times of sampling', () => {
  test('a steady total regains its samples', () => {
    const points = { times: at(60, 120), starts: at(0, 0), values: [600, 660] }
    expect(spread(points, 60 * second, 20 * second)).toEqual({
      times: at(60, 80, 100, 120),
      starts: at(0, 0, 0, 0),
      values: [600, 620, 640, 660],
    })
  })
  test.each([
    ['a gap', { times: at(60, 180), starts: at(0, 0), values: [600, 660] }],
    ['a restart', { times: at(60, 120), starts: at(0, 100), values: [600, 60] }],
    ['a missing sample', { times: at(60, 120), starts: at(0, 0), values: [600, null] }],
    ['a gauge', { times: at(60, 120), starts: null, values: [600, 60] }],
  ])('%s is left alone', (_, points) => {
    expect(spread(points, 60 * second, 20 * second)).toEqual(points)
  })
  test.each([
    ['first', 2, at(140, 160, 180)],
    ['last', 2, at(220, 240, 300)],
    ['first', 9, at(140, 160, 180, 200, 220, 240, 300)],
    ['last', 9, at(140, 160, 180, 200, 220, 240, 300)],
  ] as const)('keeps the %s ones of more than %i samples from a time on', (keeps, maxSamples, wanted) => {
    const points = {
      times: at(60, 120, 180, 240, 300),
      starts: at(0, 0, 0, 0, 290),
      values: [6, 12, 18, 24, 1],
    }
    const needed = { from: 140 * second, maxSamples, keeps }
    const { times } = spread(points, 60 * second, 20 * second, needed)
    expect(keeps === 'first' ? times.slice(0, wanted.length) : times.slice(-wanted.length)).toEqual(wanted)
    // It may have a step more.
    expect(times.length).toBeLessThanOrEqual(maxSamples + 3)
  })
})

test('a range includes its start and not its end', () => {
  const points = { times: at(1, 2, 3), starts: null, values: [1, 2, 3] }
  expect(between(points, 2000, 3000)).toEqual({ times: at(2), starts: null, values: [2] })
  expect(between(points, 4000, 5000).times).toEqual([])
})
