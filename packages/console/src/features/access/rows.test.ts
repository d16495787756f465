import type { RoleName } from '@gantry/api/base/roles.rules'
import { expect, test } from 'vitest'
import type { Assignment } from './assignments.ts'
import { accessRows, assignable, nameInText, namesAcross } from './rows.ts'

const user = (identityId: string, roleName: RoleName): Assignment => ({
  identityId,
  identityType: 'silo_user',
  roleName,
})
const group = (identityId: string, roleName: RoleName): Assignment => ({
  identityId,
  identityType: 'silo_group',
  roleName,
})
const names = new Map([
  ['1', 'zoe'],
  ['2', 'Ann'],
  ['3', 'auditors'],
])

test('users come before groups, then by name, and unknown ones have an empty name', () => {
  const rows = accessRows(
    [
      {
        level: 'silo',
        assignments: [group('3', 'viewer'), user('1', 'admin'), user('9', 'viewer'), user('2', 'viewer')],
      },
    ],
    names,
  )
  expect(rows.map(({ name }) => name)).toEqual(['', 'Ann', 'zoe', 'auditors'])
  expect(rows.map(nameInText)).toEqual(['9', 'Ann', 'zoe', 'auditors'])
})

test('roles of silo and project share one row, the strongest first', () => {
  const rolesOf = (silo: RoleName, project: RoleName) =>
    accessRows(
      [
        { level: 'silo', assignments: [user('1', silo)] },
        { level: 'project', assignments: [user('1', project)] },
      ],
      names,
    )[0]?.roles.map(({ level, role }) => `${level}.${role}`)
  expect(rolesOf('admin', 'viewer')).toEqual(['silo.admin', 'project.viewer'])
  expect(rolesOf('viewer', 'admin')).toEqual(['project.admin', 'silo.viewer'])
  expect(rolesOf('admin', 'admin')).toEqual(['silo.admin', 'project.admin'])
})

test('every user without a role in this policy can be assigned one', () => {
  const users = [
    { id: '1', displayName: 'zoe' },
    { id: '2', displayName: 'Ann' },
  ]
  const groups = [{ id: '3', displayName: 'auditors' }]
  const offered = assignable(users, groups, [user('2', 'viewer')])
  expect(offered.map(({ type, name }) => [type, name])).toEqual([
    ['silo_user', 'zoe'],
    ['silo_group', 'auditors'],
  ])
})

const demo = { id: 'd', name: 'demo' }
const forge = { id: 'f', name: 'forge' }

test("users of other silos carry their silo's name, and deleted ones have no name", () => {
  const names = namesAcross(
    [
      { identityId: '1', displayName: 'ada', silo: demo },
      { identityId: '2', displayName: 'ada', silo: forge },
      { identityId: '3', displayName: null, silo: null },
    ],
    'demo',
  )
  expect([...names]).toEqual([
    ['1', 'ada'],
    ['2', 'ada (silo forge)'],
  ])
})
