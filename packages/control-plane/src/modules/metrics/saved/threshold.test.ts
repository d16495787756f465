import type { MetricBreach, MetricThreshold } from '@gantry/api/metrics/metric-query'
import { thresholdText } from '@gantry/api/metrics/threshold-words.rules'
import { describe, expect, test } from 'vitest'
import type { OxqlTable } from '@gantry/control-plane/oxql/model'
import { evaluateThreshold, newestValues } from './threshold.ts'

const now = new Date('2026-03-02T10:00:00Z')
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000)
const fields = (name: string) => [{ name: 'instance', value: name }]
const one = (name: string, value: number) => ({ fields: fields(name), value })
const breach = (name: string, seconds: number, is_firing = false): MetricBreach => ({
  ...one(name, 95),
  since: ago(seconds).toISOString(),
  is_firing,
})
const above: MetricThreshold = { comparison: 'above', value: 90, for_seconds: 300 }
const evaluated = (breaches: MetricBreach[], seconds = 30) => ({ breaches, evaluated: ago(seconds) })

describe('a threshold', () => {
  test.each([
    ['nothing to compare', above, [], evaluated([]), 'no_data'],
    ['a value that equals it', above, [one('a', 90)], evaluated([]), 'ok'],
    ['a value beyond it', above, [one('a', 91)], evaluated([]), 'pending'],
    ['a value below one', { ...above, comparison: 'below' }, [one('a', 89)], evaluated([]), 'pending'],
    ['no time to wait', { ...above, for_seconds: 0 }, [one('a', 91)], evaluated([]), 'firing'],
    ['not long enough', above, [one('a', 91)], evaluated([breach('a', 299)]), 'pending'],
    ['long enough', above, [one('a', 91)], evaluated([breach('a', 300)]), 'firing'],
    ['each for a part of the time', above, [one('b', 91)], evaluated([breach('a', 300)]), 'pending'],
    ['firing that is over', above, [one('a', 9)], evaluated([breach('a', 900, true)]), 'ok'],
    ['time that nobody watched', above, [one('a', 91)], evaluated([breach('a', 900)], 700), 'pending'],
    ['firing before a pause', above, [one('a', 91)], evaluated([breach('a', 900, true)], 700), 'firing'],
    ['a first evaluation', above, [one('a', 91)], { breaches: [], evaluated: null }, 'pending'],
    ['a clock that went back', above, [one('a', 91)], evaluated([breach('a', -60)], -60), 'pending'],
  ] as const)('with %s', (_, threshold, newest, before, state) => {
    expect(evaluateThreshold(threshold, newest, before, now).state).toBe(state)
  })

  test('keeps the time since which each timeseries is beyond it', () => {
    const { breaches } = evaluateThreshold(
      above,
      [one('a', 91), one('b', 99)],
      evaluated([breach('b', 400)]),
      now,
    )
    expect(breaches).toEqual([
      { ...one('b', 99), since: ago(400).toISOString(), is_firing: true },
      { ...one('a', 91), since: now.toISOString(), is_firing: false },
    ])
  })

  test('keeps at most a thousand timeseries, firing ones first', () => {
    const many = Array.from({ length: 1500 }, (_, index) => one(`m${index}`, 91))
    const { breaches, state } = evaluateThreshold(above, many, evaluated([breach('m999', 400)]), now)
    expect([breaches.length, breaches[0]?.fields, state]).toEqual([1000, fields('m999'), 'firing'])
  })
})

const table = (values: OxqlTable['timeseries'][number]['points']['values'], seconds = 10): OxqlTable => ({
  name: 'x:y',
  timeseries: [
    {
      fields: { b: { type: 'u32', value: 7 }, a: { type: 'string', value: 'x' } },
      points: {
        start_times: null,
        timestamps: [ago(seconds + 60), ago(seconds)].map((time) => time.toISOString()),
        values,
      },
    },
  ],
})
const doubles = (...values: (number | null)[]) => ({
  metric_type: 'gauge' as const,
  values: { type: 'double' as const, values },
})

describe('the newest value', () => {
  test('is the last one that was sampled', () => {
    const labels = [
      { name: 'a', value: 'x' },
      { name: 'b', value: '7' },
    ]
    expect(newestValues([table([doubles(1, 2)])], now.getTime())).toEqual([{ fields: labels, value: 2 }])
    expect(newestValues([table([doubles(1, null)])], now.getTime())).toEqual([{ fields: labels, value: 1 }])
  })

  test('is none where nothing was sampled for ten minutes', () => {
    expect(newestValues([table([doubles(1, 2)], 601)], now.getTime())).toEqual([])
    expect(newestValues([table([doubles(null, null)])], now.getTime())).toEqual([])
  })

  test('is refused unless it is a single number', () => {
    expect(() => newestValues([table([doubles(1), doubles(2)])], now.getTime())).toThrow('one number')
    expect(() => newestValues([table([doubles(1)]), table([doubles(2)])], now.getTime())).toThrow('one table')
    const texts = { metric_type: 'gauge' as const, values: { type: 'string' as const, values: ['on'] } }
    expect(() => newestValues([table([texts])], now.getTime())).toThrow('one number')
  })
})

test.each([
  [0, 'above 90 %'],
  [45, 'above 90 % for 45 seconds'],
  [60, 'above 90 % for 1 minute'],
  [7200, 'above 90 % for 2 hours'],
])('a threshold for %d seconds reads "%s"', (for_seconds, text) => {
  expect(thresholdText({ comparison: 'above', for_seconds }, '90 %')).toBe(text)
})
