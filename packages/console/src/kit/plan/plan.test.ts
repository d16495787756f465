import { expect, test } from 'vitest'
import { Failure } from '#/data/failure.ts'
import { movedPlan, needsSecond } from './plan.ts'

const refused = (statusCode: number, details?: unknown) => new Failure({ message: 'no', statusCode, details })

test('a refusal because the world moved brings the plan of now, in the names of the console', () => {
  const plan = { change_count: 2, hash: 'x' }
  expect(movedPlan(refused(409, { plan }))).toEqual({ changeCount: 2, hash: 'x' })
  expect(movedPlan(refused(409, { blockers: [] }))).toBeUndefined()
  expect(movedPlan(refused(412, { plan }))).toBeUndefined()
  expect(movedPlan(new Error('lost'))).toBeUndefined()
})

test('a refusal that demands another user says whether the request can be saved', () => {
  expect(needsSecond(refused(400, { four_eyes: 'firewall', is_savable: true }))).toBe(true)
  expect(needsSecond(refused(400, { four_eyes: 'deletions', is_savable: false }))).toBe(false)
  expect(needsSecond(refused(400))).toBe(false)
})
