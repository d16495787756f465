import { expect, test } from 'vitest'
import { auditQuery, isNarrowed } from './queries.ts'
import { auditSearch } from './search.ts'

test('without filters, the whole log is listed from its end', () => {
  const query = auditQuery({})
  expect(query).toEqual({ startTime: new Date('2000-01-01T00:00:00Z'), sortBy: 'time_and_id_descending' })
  expect(isNarrowed({ page: 'x' })).toBe(false)
})

test('both days are included, in the time zone of the reader', () => {
  expect(auditQuery({ from: '2025-02-28', to: '2025-02-28' })).toMatchObject({
    startTime: new Date(2025, 1, 28),
    endTime: new Date(2025, 2, 1),
  })
})

test('words of the URL that mean nothing are ignored', () => {
  const search = auditSearch({ result: 'maybe', from: 'yesterday', to: '0000-13-99', rack: 'x' })
  expect(auditQuery(search)).toEqual(auditQuery({}))
  expect(auditQuery({ actor: 'ana', object: 'db', operation: 'disk_create', result: 'error' })).toMatchObject(
    {
      actor: 'ana',
      object: 'db',
      operation: ['disk_create'],
      result: 'error',
    },
  )
})
