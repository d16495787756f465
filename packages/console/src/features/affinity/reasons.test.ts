import { expect, test } from 'vitest'
import { whyNoMoreGroups, whyNoMoreMembers } from './reasons.ts'

const these = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `${index}` }))

test.each([
  [31, 40, undefined],
  [32, 40, 'A group has at most 32 members'],
  [32, 32, 'A group has at most 32 members'],
  [0, 0, 'Create an instance in this project first'],
  [3, 3, 'All instances in this project are already members'],
  [3, undefined, undefined],
])('a group with %i members of %s instances: %s', (members, instances, reason) =>
  expect(whyNoMoreMembers(these(members), instances === undefined ? undefined : these(instances))).toBe(
    reason,
  ),
)

test.each([
  [0, 0, 'Create an anti-affinity group in this project first'],
  [2, 2, 'The instance is already in every group in this project'],
  [15, 20, undefined],
  [16, 20, 'An instance can be in at most 16 groups'],
])('an instance in %i of %i groups: %s', (joined, groups, reason) =>
  expect(whyNoMoreGroups('anti-affinity', these(joined), these(groups))).toBe(reason),
)

test('the reason names the family', () =>
  expect(whyNoMoreGroups('affinity', [], [])).toBe('Create an affinity group in this project first'))
