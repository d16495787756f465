import type { RoleName } from '@gantry/api/base/roles.rules'
import { expect, test } from 'vitest'
import { type Assignment, type Edit, edited, isDone, hasConcurrentChange, roleIn } from './assignments.ts'

const has = (identityId: string, roleName: RoleName): Assignment => ({
  identityId,
  identityType: 'silo_user',
  roleName,
})
const policy = [has('ann', 'admin'), has('ben', 'viewer'), has('ben', 'collaborator')]
const edit = (identityId: string, seen: RoleName | undefined, role: RoleName | undefined): Edit => ({
  identityId,
  identityType: 'silo_user',
  seen,
  role,
})

test('the strongest of several roles takes effect', () => {
  expect(roleIn(policy, { identityId: 'ben' })).toBe('collaborator')
  expect(roleIn(policy, { identityId: 'eve' })).toBeUndefined()
})

test('a role replaces all others of its identity, and no role removes them all', () => {
  expect(edited(policy, edit('ben', 'collaborator', 'admin'))).toEqual([
    has('ann', 'admin'),
    has('ben', 'admin'),
  ])
  expect(edited(policy, edit('ben', 'collaborator', undefined))).toEqual([has('ann', 'admin')])
  expect(edited(policy, edit('eve', undefined, 'viewer'))).toEqual([...policy, has('eve', 'viewer')])
})

test.each([
  ['no other user changed it', edit('ann', 'admin', 'viewer'), false, false],
  ['the role is already assigned', edit('ann', 'viewer', 'admin'), true, false],
  ['the role is already removed', edit('eve', 'viewer', undefined), true, false],
  ['another user changed it', edit('ann', 'viewer', 'collaborator'), false, true],
  ['another user removed it', edit('eve', 'viewer', 'admin'), false, true],
  ['another user assigned it first', edit('ann', undefined, 'viewer'), false, true],
  ['one of several roles remains', edit('ben', 'collaborator', 'collaborator'), false, false],
])('%s', (_, change, done, concurrent) => {
  expect([isDone(policy, change), hasConcurrentChange(policy, change)]).toEqual([done, concurrent])
})
