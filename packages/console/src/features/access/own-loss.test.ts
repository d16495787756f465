import type { RoleName } from '@gantry/api/base/roles.rules'
import { expect, test } from 'vitest'
import type { Assignment } from './assignments.ts'
import { lossWords, ownLoss } from './own-loss.ts'
import type { LevelPolicy } from './rows.ts'

const has = (identityId: string, roleName: RoleName): Assignment => ({
  identityId,
  identityType: 'silo_user',
  roleName,
})
const mine = new Set(['me', 'my-group'])
const silo = (...assignments: Assignment[]): LevelPolicy => ({ level: 'silo', assignments })
const project = (...assignments: Assignment[]): LevelPolicy => ({ level: 'project', assignments })
const edit = (identityId: string, role: RoleName | undefined) => ({
  identityId,
  identityType: 'silo_user' as const,
  role,
})

test.each([
  ['the user loses their role', [silo(has('me', 'admin'))], edit('me', undefined), { left: undefined }],
  ['the role of the user gets weaker', [silo(has('me', 'admin'))], edit('me', 'viewer'), { left: 'viewer' }],
  ['the role of the user gets stronger', [silo(has('me', 'viewer'))], edit('me', 'admin'), undefined],
  [
    'the user had it through a group',
    [silo(has('my-group', 'admin'))],
    edit('my-group', 'viewer'),
    { left: 'viewer' },
  ],
  [
    'the user also has it from another source',
    [silo(has('me', 'admin'), has('my-group', 'admin'))],
    edit('me', undefined),
    undefined,
  ],
  [
    'the role belongs to another user',
    [silo(has('me', 'admin'), has('other', 'admin'))],
    edit('other', undefined),
    undefined,
  ],
])('on a silo: %s', (_, policies, change, loss) =>
  expect(ownLoss(mine, policies, 'silo', change)).toEqual(loss),
)

test('a role on the silo also applies in the project and is not changed there', () => {
  const policies = [silo(has('me', 'collaborator')), project(has('me', 'admin'))]
  expect(ownLoss(mine, policies, 'project', edit('me', undefined))).toEqual({ left: 'collaborator' })
  const weaker = [silo(has('me', 'admin')), project(has('me', 'viewer'))]
  expect(ownLoss(mine, weaker, 'project', edit('me', undefined))).toBeUndefined()
})

test('the warning names the remaining role', () => {
  const owner = { level: 'project', name: 'web' } as const
  expect(lossWords(owner, 'viewer')).toBe('This reduces your own role to viewer on project web.')
  expect(lossWords(owner, undefined)).toBe('This removes your own role on project web.')
})
