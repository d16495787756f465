import { expect, test } from 'vitest'
import { z } from 'zod'
import { maxLengthOf } from '../bounds.ts'
import { text } from '../schema.ts'
import { firstOf, isLonger } from './text.rules.ts'

test('a character outside the basic plane counts once, and is cut as a whole', () => {
  const text = `a${'😀'.repeat(60)}`
  expect(isLonger(text, 61)).toBe(false)
  expect(isLonger(text, 60)).toBe(true)
  expect(isLonger('x'.repeat(1_000_000), 512)).toBe(true)
  for (let max = 0; max <= 70; max++) {
    expect(firstOf(text, max)).toBe(`a${'😀'.repeat(60)}`.slice(0, Math.max(0, max * 2 - 1)))
    expect(firstOf(text, max)).not.toMatch(/\p{Surrogate}/u)
  }
})

test('a text of the contract counts alike, says its maximum, and refuses a longer one in its words', () => {
  const schema = text(3, 'too long')
  expect(schema.parse('😀😀😀')).toBe('😀😀😀')
  expect(schema.safeParse('😀😀😀😀').error?.issues.map(({ message }) => message)).toEqual(['too long'])
  expect(schema.safeParse('abcd').error?.issues.map(({ message }) => message)).toEqual(['too long'])
  expect(schema.safeParse('x'.repeat(1_000_000)).success).toBe(false)
  expect(maxLengthOf(schema)?.maximum).toBe(3)
  expect(z.toJSONSchema(schema)).toMatchObject({ maxLength: 3 })
})
