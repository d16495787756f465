import { expect, test } from 'vitest'
import { Readings } from './readings.ts'

test('the newest time gets the reading, and earlier ones are interpolated', () => {
  const readings = new Readings()
  expect(readings.at('m', [0, 5000, 10_000])('run', 100)).toEqual([null, null, 100])
  expect(readings.at('m', [15_000, 20_000])('run', 201)).toEqual([150, 201])
  // A longer gap, as after a round that was missed.
  expect(readings.at('m', [10_000, 20_000, 25_000, 30_000])('run', 301)).toEqual([null, 201, 251, 301])
})

test('totals never fall, gauges may, and sources do not mix', () => {
  const readings = new Readings()
  const first = readings.at('m', [0])
  first('heat', 50, true)
  first('run', 100)
  expect(readings.at('n', [0])('heat', 1, true)).toEqual([1])
  const second = readings.at('m', [5000, 10_000])
  expect(second('heat', 40, true)).toEqual([45, 40])
  expect(second('run', 90)).toEqual([100, 100])
  expect(second('new', 7)).toEqual([null, 7])
})

test('a source that is no longer read is forgotten', () => {
  const readings = new Readings()
  readings.at('m', [0])('run', 1)
  readings.forgetOlder(3_600_000)
  expect(readings.at('m', [0, 5000])('run', 2)).toEqual([null, 2])
})
