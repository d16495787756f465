import { maxNamedIds } from '@gantry/api/extensions.rules'
import { expect, test } from 'vitest'
import { objectNames } from '#/features/object-names/field-words.ts'
import type { MetricTable } from '../chart-data.ts'
import { chartIn, idsOf, rowsIn, seriesIn } from './result-data.ts'

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
  expect(series.map(({ name }) => name)).toEqual(['x:one', 'x:two'])
})

test('a table shows the newest 200 points first', () => {
  const many = Array.from({ length: 300 }, (_, index) => [index, index] as const)
  const { rows, points } = rowsIn(seriesIn([tableOf(timeseries('a', many), timeseries('b', [[250, 9]]))]))
  expect(points).toBe(301)
  expect(rows).toHaveLength(200)
  expect(rows[0]).toMatchObject({ time: new Date(299_000), value: '299' })
  expect(rows.some(({ label }) => label.includes('disk_name=b'))).toBe(true)
})

const [web, db] = ['11111111-2222-4333-8444-555555555555', '66666666-7777-4888-9999-aaaaaaaaaaaa']
const usage = (instance: string): Timeseries => {
  const one = timeseries('any', [[10, 1]])
  return { ...one, fields: { instance_id: { type: 'uuid', value: instance } } }
}

test('lines and rows have the names of objects, and their ids beside them', () => {
  const series = seriesIn([tableOf(usage(web), usage(db))])
  expect(idsOf(series)).toEqual([web, db])
  const names = objectNames([{ id: web, kind: 'instance', name: 'web-1' }])
  const chart = chartIn(series, 'count', names)
  expect(chart?.data.series.map(({ label }) => label)).toEqual(['instance=web-1', 'instance_id=66666…aaaaa'])
  expect(chart?.ids).toEqual([[`instance_id=${web}`], [`instance_id=${db}`]])
  expect(rowsIn(series, names).rows.map(({ label, ids }) => [label, ...ids])).toEqual([
    ['virtual_disk:reads instance=web-1', `instance_id=${web}`],
    ['virtual_disk:reads instance_id=66666…aaaaa', `instance_id=${db}`],
  ])
  expect(rowsIn(seriesIn([tableOf(timeseries('a', [[10, 1]]))])).rows[0]?.ids).toEqual([])
})

test('names are asked for the first timeseries only, as many as one request resolves', () => {
  const many = Array.from({ length: 2 * maxNamedIds }, () => usage(crypto.randomUUID()))
  expect(idsOf(seriesIn([tableOf(...many)]))).toHaveLength(maxNamedIds)
})

test('labels that would be the same are numbered', () => {
  const series = seriesIn([tableOf(usage(web), usage(web), usage(db))])
  expect(chartIn(series, 'count')?.data.series.map(({ label }) => label)).toEqual([
    'instance_id=11111…55555 (1)',
    'instance_id=11111…55555 (2)',
    'instance_id=66666…aaaaa',
  ])
})

test('an answer without points has no chart', () =>
  expect(chartIn(seriesIn([tableOf()]), 'count')).toBeUndefined())
