import { expect, test } from 'vitest'
import type { MetricTable } from '../chart-data.ts'
import { chartIn, rowsIn, seriesIn } from './result-data.ts'

type Timeseries = MetricTable['timeseries'][number]

const at = (second: number) => new Date(second * 1000).toISOString()
const timeseries = (disk: string, points: readonly (readonly [number, number | null])[]): Timeseries => ({
  fields: {
    disk_name: { type: 'string', value: disk },
    silo: { type: 'string', value: 'demo' },
  },
  points: {
    startTimes: null,
    timestamps: points.map(([second]) => at(second)),
    values: [{ metricType: 'gauge', values: { type: 'double', values: points.map(([, value]) => value) } }],
  },
})
const tableOf = (...all: Timeseries[]): MetricTable => ({ name: 'virtual_disk:reads', timeseries: all })

test('a chart has all times of its lines, with gaps where a line has no point', () => {
  const table = tableOf(timeseries('a', [[10, 1], [20, 2]]), timeseries('b', [[20, 7], [30, null]])) // prettier-ignore
  const chart = chartIn(seriesIn([table]), 'count')
  expect(chart?.data.times).toEqual([10, 20, 30])
  expect(chart?.data.series).toEqual([
    { label: 'disk_name=a', values: [1, 2, null] },
    { label: 'disk_name=b', values: [null, 7, null] },
  ])
  expect(chart?.range).toEqual([10, 30])
})

test('a chart draws five lines, and counts the omitted ones', () => {
  const all = Array.from({ length: 8 }, (_, index) => timeseries(`d${index}`, [[10, index]]))
  const chart = chartIn(seriesIn([tableOf(...all)]), 'bytes')
  expect(chart).toMatchObject({ drawn: 5, leftOut: 3, range: [9, 11] })
})

test('text has no chart, and is in the table', () => {
  const text: Timeseries = {
    fields: {},
    points: {
      startTimes: null,
      timestamps: [at(10)],
      values: [{ metricType: 'gauge', values: { type: 'string', values: ['up'] } }],
    },
  }
  const series = seriesIn([{ name: 'a:b', timeseries: [text] }])
  expect(chartIn(series, undefined)).toBeUndefined()
  expect(rowsIn(series).rows).toMatchObject([{ label: 'a:b', value: 'up' }])
})

test('each dimension of a joined table is a line of its own', () => {
  const joined = timeseries('a', [[10, 1]])
  joined.points.values.push({ metricType: 'gauge', values: { type: 'integer', values: [4] } })
  const series = seriesIn([{ name: 'x:one,x:two', timeseries: [joined] }])
  expect(series.map(({ label }) => label.split(' ')[0])).toEqual(['x:one', 'x:two'])
})

test('a table shows the newest 200 points first', () => {
  const many = Array.from({ length: 300 }, (_, index) => [index, index] as const)
  const { rows, points } = rowsIn(seriesIn([tableOf(timeseries('a', many), timeseries('b', [[250, 9]]))]))
  expect(points).toBe(301)
  expect(rows).toHaveLength(200)
  expect(rows[0]).toMatchObject({ time: new Date(299_000), value: '299' })
  expect(rows.some(({ label }) => label.includes('disk_name=b'))).toBe(true)
})

test('an answer without points has no chart', () =>
  expect(chartIn(seriesIn([tableOf()]), 'count')).toBeUndefined())
