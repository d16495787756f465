import { expect, test } from 'vitest'
import { cooldownOf } from './cooldown.ts'

const now = new Date('2026-01-01T12:00:00Z')
const later = new Date('2026-01-01T12:05:00Z')
const before = new Date('2026-01-01T11:59:00Z')

test.each([
  ['failed', true, later, { until: later, note: '5 minutes' }],
  ['failed', true, before, { note: 'restarting soon' }],
  ['failed', true, null, { note: 'restarting soon' }],
  ['failed', false, later, { until: later }],
  ['failed', false, before, {}],
  ['running', true, later, { until: later }],
  ['running', true, before, {}],
  ['running', true, undefined, {}],
] as const)('%s, restart %s, cooling until %s', (runState, autoRestartEnabled, end, expected) =>
  expect(cooldownOf({ runState, autoRestartEnabled, autoRestartCooldownExpiration: end }, now)).toEqual(
    expected,
  ),
)
