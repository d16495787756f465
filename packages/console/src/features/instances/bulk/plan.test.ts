import { expect, test } from 'vitest'
import type { Instance } from '../queries.ts'
import { bulkPlan, matchingPlan, skippedWords } from './plan.ts'

const selected = (...states: Instance['runState'][]) =>
  states.map((runState, index) => ({ id: `id-${index}`, name: `one-${index}`, runState }))

test.each([
  ['start', selected('stopped', 'failed'), 'Start', 2],
  ['start', selected('stopped', 'running', 'failed'), 'Start 2 of 3', 2],
  ['stop', selected('running', 'starting', 'stopped'), 'Stop 2 of 3', 2],
  ['reboot', selected('running'), 'Reboot', 1],
  ['delete', selected('running', 'stopped'), 'Delete 1 of 2', 1],
] as const)('%s', (action, instances, label, count) => {
  const plan = bulkPlan(action, instances)
  expect([plan.label, plan.eligible.length, plan.whyNot]).toEqual([label, count, undefined])
})

test('an action that applies to no selected instance gives the reason', () => {
  expect(bulkPlan('reboot', selected('stopped', 'failed'))).toEqual({
    eligible: [],
    label: 'Reboot',
    whyNot: 'Only available when running',
    hasProtected: false,
  })
  expect(bulkPlan('start', selected('running')).whyNot).toMatch(/stopped or failed/)
})

test('a protected instance is skipped where its protection forbids the action', () => {
  const why = (id: string, action: string) =>
    id === 'id-0' && action === 'delete' ? 'Protected by x: y' : undefined
  const both = selected('stopped', 'stopped')
  expect(bulkPlan('delete', both, why)).toMatchObject({ label: 'Delete 1 of 2', hasProtected: true })
  expect(bulkPlan('start', both, why)).toMatchObject({ label: 'Start', hasProtected: false })
  expect(bulkPlan('delete', both.slice(0, 1), why).whyNot).toBe('Protected by x: y')
  expect(skippedWords('delete', 1, true)).toBe('The other one is protected and will be skipped.')
  expect(skippedWords('stop', 2, true)).toBe(
    "The other 2 are protected or aren't running and will be skipped.",
  )
})

test.each([
  ['reboot', 2, "The other 2 aren't running and will be skipped."],
  ['delete', 1, "The other one isn't stopped and will be skipped."],
] as const)('%s names the state of the %i instances it skips', (action, count, words) => {
  expect(skippedWords(action, count)).toBe(words)
})

test.each([
  ['stop', { running: 3, stopped: 2 }, 3, 'Stop 3 of 5', undefined],
  ['start', { stopped: 2, failed: 1 }, 3, 'Start', undefined],
  ['reboot', { stopped: 2 }, 0, 'Reboot', 'None of the 2 that match is running'],
  ['start', { running: 2 }, 0, 'Start', 'None of the 2 that match can be started'],
  ['stop', { running: 1001 }, 1001, 'Stop', 'At most 1,000 at once. Narrow the filter first.'],
] as const)('%s of all that match, by their states %j', (action, states, count, label, whyNot) => {
  const counted = Object.entries(states).map(([value, each]) => ({ value, count: each }))
  expect(matchingPlan(action, counted)).toEqual({ count, label, whyNot })
})
