import { timeseriesQueryMax } from '@gantry/api/metrics/metric.rules'
import { expect, test } from 'vitest'
import { cpuUseIn, cpuUseOf, queryOf } from './cpu-use.ts'

const id = (index: number) => `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`

test("a page's query has room for all its rows, and stays within the maximum length", () => {
  const page = queryOf(Array.from({ length: 50 }, (_, index) => id(index))) ?? ''
  expect(page.match(/instance_id ==/g)).toHaveLength(50)
  const many = queryOf(Array.from({ length: 500 }, (_, index) => id(index))) ?? ''
  expect(many.length).toBeLessThanOrEqual(timeseriesQueryMax)
  expect(queryOf([])).toBe(undefined)
})

test('stopped instances are left out, and the order of rows does not matter', () => {
  const rows = [
    { id: id(2), runState: 'running' },
    { id: id(1), runState: 'stopped' },
    { id: id(3), runState: 'failed' },
  ] as const
  const keyOf = (of: Parameters<typeof cpuUseOf>[1]) => cpuUseOf('atlas', of).queryKey
  expect(keyOf(rows)).toEqual(keyOf(rows.toReversed()))
  expect(JSON.stringify(keyOf(rows))).not.toContain(id(1))
})

const series = (index: number, times: readonly string[], values: readonly (number | null)[]) => ({
  fields: { instance_id: { type: 'uuid', value: id(index) } },
  points: {
    startTimes: null,
    timestamps: times,
    values: [{ metricType: 'delta', values: { type: 'double', values } }],
  },
})

test('values are percentages at shared times, without the initial total', () => {
  const table = {
    name: 'virtual_machine:vcpu_usage',
    timeseries: [series(1, ['t1', 't2', 't3'], [9e12, 2.5e9, 5e9]), series(2, ['t3'], [1e9])],
  }
  expect([...cpuUseIn(table as unknown as Parameters<typeof cpuUseIn>[0])]).toEqual([
    [id(1), [50, 100]],
    [id(2), [null, 20]],
  ])
  expect([...cpuUseIn(undefined)]).toEqual([])
})
