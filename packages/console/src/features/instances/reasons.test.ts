import { runStates } from '@gantry/api/compute/instance.rules'
import { expect, test } from 'vitest'
import { type InstanceAction, whyNotInstance } from './reasons.ts'

const actions = [
  'start',
  'stop',
  'reboot',
  'resize',
  'delete',
  'updateBootDisk',
  'attachDisk',
  'detachDisk',
] as const
const accepted = (state: (typeof runStates)[number]): string =>
  actions.filter((action) => !whyNotInstance(action, state)).join(' ')

test.each([
  ['creating', 'resize updateBootDisk attachDisk detachDisk'],
  ['starting', 'stop'],
  ['running', 'stop reboot'],
  ['stopping', ''],
  ['stopped', 'start resize delete updateBootDisk attachDisk detachDisk'],
  ['rebooting', 'stop'],
  ['migrating', ''],
  ['repairing', ''],
  ['failed', 'start stop resize delete updateBootDisk detachDisk'],
  ['destroyed', ''],
] as const)('an instance in state %s accepts: %s', (state, expected) =>
  expect(accepted(state)).toBe(expected),
)

test.each<[InstanceAction, (typeof runStates)[number], RegExp]>([
  ['start', 'running', /^Only available when stopped or failed$/],
  ['stop', 'stopped', /^Only available when running$/],
  ['delete', 'running', /stopped or failed\. Stop the instance first\.$/],
  ['delete', 'stopping', /^Only available when stopped or failed$/],
  ['resize', 'running', /stopped, failed, or creating\. Stop the instance first\.$/],
  ['attachDisk', 'failed', /must be stopped to attach/],
  ['updateNetworkInterface', 'failed', /must be stopped before its network interfaces/],
  ['addToAffinityGroup', 'running', /must be stopped before it can be added/],
  ['detachDisk', 'running', /must be stopped before the disk can be detached/],
])('the reason against %s while %s matches %s', (action, state, words) =>
  expect(whyNotInstance(action, state)).toMatch(words),
)
