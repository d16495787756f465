import { describe, expect, test } from 'vitest'
import { provisioned, stepChart, stepsOf } from './utilization-data.ts'

describe('steps of a range', () => {
  test('begin with the amount from before and end with the last', () => {
    expect(stepsOf([{ time: 50, amount: 8 }], 4, [0, 100], 200)).toEqual([
      { time: 0, amount: 4 },
      { time: 50, amount: 8 },
      { time: 100, amount: 8 },
    ])
  })

  test('without a change are a level line', () => {
    expect(stepsOf([], 4, [0, 100], 200).map(({ amount }) => amount)).toEqual([4, 4])
  })

  test('begin with a change at the start', () => {
    expect(stepsOf([{ time: 0, amount: 6 }], 4, [0, 100], 200).map(({ amount }) => amount)).toEqual([6, 6])
  })

  test('end now, so that a range in the future has none', () => {
    expect(stepsOf([], 4, [0, 100], 60).map(({ time }) => time)).toEqual([0, 60])
    expect(stepsOf([], 4, [70, 100], 60)).toEqual([])
  })
})

test('memory is drawn in GiB, and its values hold until they change', () => {
  const memory = provisioned[1]
  if (!memory) throw new Error('no memory chart')
  const chart = stepChart(memory.title, [{ time: 0, amount: 12 * 1024 ** 3 }], memory.unit)
  expect(chart).toMatchObject({ isStepped: true, top: 20, series: [{ label: 'Memory', values: [12] }] })
})

test.each([
  ['CPU', 2345, 2350],
  ['Memory', 1025 * 1024 ** 3, 1030],
  ['Storage', 1500 * 1024 ** 4, 1500],
])('%s above 1023 in its unit stays inside the chart', (title, amount, top) => {
  const chart = provisioned.find((each) => each.title === title)
  expect(chart && stepChart(title, [{ time: 0, amount }], chart.unit).top).toBe(top)
})
