import { expect, test } from 'vitest'
import { z } from 'zod'
import { ops } from '../registry.ts'
import type { Operation } from '../op.ts'
import { answeredId, isPrivateRequest, valueAt } from './sent-request.rules.ts'

/** The field of an answer that is an object with an id, if the answer has none of its own. */
function objectIn({ returns }: Operation): string | undefined {
  if (!(returns instanceof z.ZodObject) || 'id' in returns.shape) return undefined
  return Object.entries(returns.shape).find(
    ([, field]) => field instanceof z.ZodObject && 'id' in field.shape,
  )?.[0]
}

test('an answer without an id of its own is known to have an object with one', () => {
  const found = Object.entries<Operation>(ops).filter(
    ([, op]) => op.method !== 'GET' && (op.changes ?? []).length > 0 && !isPrivateRequest(op.path),
  )
  const expected = found.flatMap(([name, op]) => {
    const field = objectIn(op)
    return field === undefined ? [] : [[name, `${field}.id`]]
  })
  expect(expected.length).toBeGreaterThan(0)
  expect(expected.map(([name = '']) => [name, answeredId(name)])).toEqual(expected)
  expect(answeredId('diskCreate')).toBe('id')
})

test('a value is read by its path, also where there is none', () => {
  expect(valueAt({ user: { id: 'a' } }, 'user.id')).toBe('a')
  expect([valueAt({ user: null }, 'user.id'), valueAt(undefined, 'id')]).toEqual([undefined, undefined])
})
