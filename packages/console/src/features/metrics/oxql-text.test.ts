import { expect, test } from 'vitest'
import { groupText, queryLines, queryText } from './oxql-text.ts'

const end = Date.UTC(2025, 7, 1, 11) / 1000
const hour = [end - 3600, end] as const
const reads = {
  metric: 'virtual_disk:reads',
  where: { attached_instance_id: 'b5', disk_id: undefined },
  groupBy: ['attached_instance_id'],
}

test('a query filters by time first, begins two windows early, and omits fields without a value', () => {
  expect(queryText(reads, hour)).toBe(
    'get virtual_disk:reads | filter timestamp >= @2025-08-01T09:58:00.000 && timestamp < @2025-08-01T11:00:00.000' +
      ' && attached_instance_id == "b5" | align mean_within(60s) | group_by [attached_instance_id], sum',
  )
})

test('a query without groups ends with its alignment', () => {
  expect(queryText({ metric: 'a:b', where: {} }, hour)).toMatch(/align mean_within\(60s\)$/)
})

test('a query to be read has a line for each stage and each further filter', () => {
  expect(queryLines(reads, hour)).toBe(
    [
      'get virtual_disk:reads',
      '  | filter timestamp >= @2025-08-01T09:58:00.000',
      '      && timestamp < @2025-08-01T11:00:00.000',
      '      && attached_instance_id == "b5"',
      '  | align mean_within(60s)',
      '  | group_by [attached_instance_id], sum',
    ].join('\n'),
  )
})

test('several queries are sent as one', () => {
  expect(groupText(['get a:b', 'get c:d'])).toBe('{ get a:b; get c:d }')
  expect(groupText(['get a:b'])).toBe('get a:b')
})
