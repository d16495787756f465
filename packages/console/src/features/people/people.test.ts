import { expect, test } from 'vitest'
import { abilitiesOf, sourceWords } from './words.ts'

const group = { id: 'g', displayName: 'engineers' }
const names = { silo: 'demo', project: 'web' }

test.each([
  ['silo', 'collaborator', null, 'Collaborator on silo demo'],
  ['silo', 'viewer', group, 'Viewer on silo demo, through group engineers'],
  ['project', 'admin', group, 'Admin on project web, through group engineers'],
  ['fleet', 'admin', null, 'Admin on the fleet'],
] as const)('a role on the %s, %s', (assignedOn, assignedRole, through, words) =>
  expect(sourceWords({ roleName: assignedRole, assignedOn, assignedRole, group: through }, names)).toBe(
    words,
  ),
)

test.each([
  ['admin', []],
  ['collaborator', ['admin']],
  ['limited_collaborator', ['collaborator', 'admin']],
  ['viewer', ['limited_collaborator', 'collaborator', 'admin']],
  [null, ['viewer', 'limited_collaborator', 'collaborator', 'admin']],
] as const)('the role %s lacks these abilities: %j', (role, lacking) =>
  expect(abilitiesOf(role).flatMap(({ lacks }) => lacks ?? [])).toEqual(lacking),
)
