import { describe, expect, test } from 'vitest'
import { chartCsv, chartOf, type MetricTable, movedBy, percentOf, pointsOf } from './chart-data.ts'

const series = (from: number, values: (number | null)[]): MetricTable['timeseries'][number] => ({
  fields: {},
  points: {
    startTimes: null,
    timestamps: values.map((_, index) => new Date((from + index * 60) * 1000).toISOString()),
    values: [{ metricType: 'gauge', values: { type: 'double', values } }],
  },
})
const table = (...timeseries: MetricTable['timeseries']): MetricTable => ({ name: 'a:b', timeseries })

describe('points of a table', () => {
  test('are sums over its series without the first moment', () => {
    expect(pointsOf(table(series(0, [9, 1, 2]), series(0, [9, 10, 20])))).toEqual({
      times: [60, 120],
      values: [11, 22],
      seriesCount: 2,
    })
  })

  test('are gaps where no series has a number, and need only one', () => {
    expect(pointsOf(table(series(0, [9, null, null]), series(0, [9, null, 4]))).values).toEqual([null, 4])
  })

  test('of series that begin at different moments stay at theirs', () => {
    const { times, values } = pointsOf(table(series(120, [5, 6]), series(0, [1, 2, 3, 4])))
    expect([times, values]).toEqual([
      [60, 120, 180],
      [2, 8, 10],
    ])
  })

  test('of no table are none', () => {
    expect(pointsOf(undefined)).toEqual({ times: [], values: [], seriesCount: 0 })
  })
})

test('two vCPUs that run all the time are at 100 percent', () => {
  const points = pointsOf(table(series(0, [0, 5e9, null]), series(0, [0, 5e9, null])))
  expect(percentOf(points).values).toEqual([100, null])
})

describe('a chart', () => {
  const points = { times: [60, 120], values: [1024 ** 2, 3 * 1024 ** 2], seriesCount: 1 }

  test('shows its values in the unit of the largest', () => {
    const chart = chartOf({ label: 'Bytes Read', kind: 'bytes', points })
    expect(chart?.unit.label).toBe('MiB')
    expect(chart?.data).toMatchObject({ top: 10, series: [{ values: [1, 3] }] })
  })

  test('without a number is none', () => {
    expect(chartOf({ label: '', kind: 'count', points: { ...points, values: [null, null] } })).toBeUndefined()
  })

  test('has the period before at the same moments, and room for it', () => {
    const before = movedBy({ times: [0, 60], values: [null, 40 * 1024 ** 2], seriesCount: 1 }, 60)
    const chart = chartOf({ label: 'Bytes Read', kind: 'bytes', points, before })
    expect(chart?.data).toMatchObject({ top: 40, series: [{}, { values: [null, 40], isReference: true }] })
  })
})

const text = String

test('numbers are written with their moments, gaps as empty cells', () => {
  const series = [{ label: 'Bytes Read', values: [1.5, null] }]
  expect(chartCsv({ times: [0, 60], series, top: 10, tick: text, value: text }, 'MiB')).toBe(
    'Time,Bytes Read (MiB)\r\n1970-01-01T00:00:00.000Z,1.5\r\n1970-01-01T00:01:00.000Z,',
  )
})

test('counts are written as they are, whatever the axis shows', () => {
  const points = { times: [0, 60], values: [25_000, 12_345], seriesCount: 1 }
  const chart = chartOf({ label: 'Reads', kind: 'count', points })
  if (!chart) throw new Error('no chart')
  expect(chart.data.series).toMatchObject([{ values: [25, 12.345] }])
  expect(chartCsv(chart.data, chart.unit.label)).toBe(
    'Time,Reads (Count)\r\n1970-01-01T00:00:00.000Z,25000\r\n1970-01-01T00:01:00.000Z,12345',
  )
})

test('names with commas are quoted, and no cell is a formula', () => {
  const series = [{ label: '=cmd, now', values: [-1] }]
  expect(chartCsv({ times: [0], series, top: 10, tick: text, value: text }, 'x')).toBe(
    'Time,"\'=cmd, now (x)"\r\n1970-01-01T00:00:00.000Z,-1',
  )
})
