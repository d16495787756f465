import { expect, test } from 'vitest'
import { chartCsv } from './chart-csv.ts'

const text = String

test('numbers are written with their moments, gaps as empty cells', () => {
  const series = [{ label: 'Bytes Read', values: [1.5, null] }]
  expect(chartCsv({ times: [0, 60], series, top: 10, tick: text, value: text }, 'MiB')).toBe(
    'Time,Bytes Read (MiB)\r\n1970-01-01T00:00:00.000Z,1.5\r\n1970-01-01T00:01:00.000Z,',
  )
})

test('names with commas are quoted, and no cell is a formula', () => {
  const series = [{ label: '=cmd, now', values: [-1] }]
  expect(chartCsv({ times: [0], series, top: 10, tick: text, value: text }, 'x')).toBe(
    'Time,"\'=cmd, now (x)"\r\n1970-01-01T00:00:00.000Z,-1',
  )
})
