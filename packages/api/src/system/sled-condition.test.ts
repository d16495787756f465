import { expect, test } from 'vitest'
import { sledCondition } from './hardware.rules.ts'

const sled = { policy: { kind: 'in_service' }, state: 'active', isLost: false, isDraining: false } as const

test.each([
  ['active', {}],
  ['decommissioned', { state: 'decommissioned' }],
  ['draining', { isDraining: true }],
  ['lost', { isLost: true, isDraining: true }],
  ['expunged', { policy: { kind: 'expunged' }, state: 'decommissioned', isLost: true, isDraining: true }],
] as const)('a sled is %s', (condition, facts) =>
  expect(sledCondition({ ...sled, ...facts })).toBe(condition),
)
