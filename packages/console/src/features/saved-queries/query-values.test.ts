import { expect, test } from 'vitest'
import { bodyOf, minutesProblem, newBodyOf, newValues, queryProblem, valuesOf } from './query-values.ts'
import type { SavedQuery } from './queries.ts'

const cpu = 'get virtual_machine:vcpu_usage | last 1'

test('a threshold of vCPUs is entered in percent and sent in nanoseconds', () => {
  const values = { ...newValues('atlas'), name: 'cpu', query: `${cpu}\n`, isWatched: true }
  const body = bodyOf(values)
  expect(body).toEqual({
    name: 'cpu',
    description: '',
    query: cpu,
    threshold: { comparison: 'above', value: 4.5e9, forSeconds: 300 },
  })
  expect(valuesOf({ ...body, threshold: body.threshold } as SavedQuery)).toMatchObject({
    value: 90,
    minutes: 5,
    isWatched: true,
  })
})

test('other thresholds are sent as entered, and an empty one is omitted', () => {
  const values = { ...newValues(undefined), isWatched: true, value: 71.5, minutes: 0.75 }
  expect(bodyOf(values).threshold).toEqual({ comparison: 'above', value: 71.5, forSeconds: 45 })
  expect(bodyOf({ ...values, isWatched: false }).threshold).toBe(null)
})

test('a filter of a list is watched for any match, and keeps its kind when it is changed', () => {
  const values = { ...newValues('atlas', { filterOf: 'disk', filter: 'size>1TiB' }), name: 'large' }
  const body = newBodyOf(values)
  expect(body).toMatchObject({
    filterOf: 'disk',
    query: 'size>1TiB',
    threshold: { comparison: 'above', value: 0, forSeconds: 300 },
  })
  const changed = valuesOf({ ...body, threshold: body.threshold } as SavedQuery)
  expect(changed).toMatchObject({ source: 'filter', filterOf: 'disk', filter: 'size>1TiB', value: 0 })
  expect(bodyOf(changed)).not.toHaveProperty('filterOf')
})

test('values that the server would refuse have a problem', () => {
  expect(minutesProblem(null)).toBe('Duration is required')
  expect(minutesProblem(1441)).toBe('Enter 0 to 1440 minutes')
  expect(minutesProblem(1440)).toBe(undefined)
  expect(queryProblem('x'.repeat(4097))).toBe('A query has at most 4,096 characters')
})
