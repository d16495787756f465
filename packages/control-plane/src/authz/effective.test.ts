import { actions } from '@gantry/api/extensions.rules'
import { type RoleName, roleOrder } from '@gantry/api/base/roles.rules'
import { expect, test } from 'vitest'
import { seeded } from '../testing/seeded.ts'
import { fleetId, rolesOf } from './actor.ts'
import { type Assignment, explainRoles } from './effective.ts'
import {
  grantedBy,
  type MappedFleetRoles,
  permits,
  policy,
  projectRoleOf,
  type ResourceClass,
} from './policy.ts'

const siloId = 'silo'
const group = (name: string) => ({ id: name, display_name: name })
const on = (
  resource_type: Assignment['resource_type'],
  role_name: RoleName,
  through?: string,
  resource_id = { fleet: fleetId, silo: siloId, project: 'atlas' }[resource_type],
): Assignment => ({ resource_type, resource_id, role_name, group: through ? group(through) : null })

test.each([
  ['admin', 'admin'],
  ['collaborator', 'admin'],
  ['limited_collaborator', 'limited_collaborator'],
  ['viewer', 'viewer'],
] as const)('a silo %s has the permissions of a project %s', (silo, project) => {
  expect(projectRoleOf(silo)).toBe(project)
})

test('lists every source of a role, strongest first and direct ones before groups', () => {
  const roles = explainRoles(
    [
      on('project', 'viewer', 'readers'),
      on('silo', 'viewer', 'zebras'),
      on('silo', 'viewer', 'apes'),
      on('silo', 'viewer'),
      on('project', 'collaborator'),
      on('project', 'admin', undefined, 'other'),
    ],
    { viewer: ['viewer'] },
  )
  const explained = ({ sources }: typeof roles.silo) =>
    sources.map(
      (one) => `${one.role_name} as ${one.assigned_on} ${one.assigned_role} by ${one.group?.id ?? 'self'}`,
    )
  expect(explained(roles.silo)).toEqual([
    'viewer as silo viewer by self',
    'viewer as silo viewer by apes',
    'viewer as silo viewer by zebras',
  ])
  expect(explained(roles.inProject('atlas'))).toEqual([
    'collaborator as project collaborator by self',
    'viewer as project viewer by readers',
    'viewer as silo viewer by self',
    'viewer as silo viewer by apes',
    'viewer as silo viewer by zebras',
  ])
  expect(explained(roles.fleet)).toEqual(explained(roles.silo))
  expect(roles.inProject('other').role_name).toBe('admin')
  expect(roles.inProject('third')).toEqual(roles.everyProject)
  expect(roles.projects).toEqual(['atlas', 'other'])
})

test('a stronger silo role includes the fleet roles of weaker ones', () => {
  const mapped: MappedFleetRoles = { admin: ['viewer'], collaborator: ['collaborator', 'viewer'] }
  const fleetRole = (silo: RoleName) => explainRoles([on('silo', silo)], mapped).fleet.role_name
  expect(roleOrder.map(fleetRole)).toEqual(['collaborator', 'collaborator', null, null])
})

test('the explanation matches the decision, for any set of assignments', () => {
  const next = seeded(11)
  const pick = <Value>(values: readonly Value[]): Value => values[next(values.length)] as Value
  const some = <Value>(make: () => Value): Value[] => Array.from({ length: next(4) }, make)
  const me = { user_id: 'me', silo_id: siloId }
  const everything = (Object.keys(policy) as ResourceClass[]).flatMap((resource) =>
    actions.map((action) => ({ resource, action })),
  )
  let looked = 0
  for (let round = 0; round < 2000; round++) {
    const held = some(() =>
      on(pick(['fleet', 'silo', 'project']), pick(roleOrder), pick([undefined, 'readers', 'writers'])),
    )
    const mapped = Object.fromEntries(some(() => [pick(roleOrder), some(() => pick(roleOrder))]))
    const roles = rolesOf(me, held, mapped)
    const explained = explainRoles(held, mapped)
    expect([explained.fleet.role_name, explained.silo.role_name]).toEqual([
      roles.fleet ?? null,
      roles.silo ?? null,
    ])
    const inProject = explained.inProject('atlas')
    /** A user with only the explained role, on the project itself. */
    const alone = rolesOf(me, inProject.role_name ? [on('project', inProject.role_name)] : [], {})
    const sources = {
      fleet: explained.fleet.sources,
      silo: explained.silo.sources,
      project: inProject.sources.filter(({ assigned_on }) => assigned_on === 'project'),
    }
    const unexplained = everything.filter(({ resource, action }) => {
      const location = { class: resource, silo_id: siloId, project_id: 'atlas', owner_id: 'another' }
      const by = grantedBy(roles, action, location)
      looked += by ? 1 : 0
      if ((by === 'fleet' || by === 'silo' || by === 'project') && sources[by].length === 0) return true
      const isOfProject = resource.startsWith('project')
      return isOfProject && permits(alone, action, location) !== (by !== undefined)
    })
    expect(unexplained).toEqual([])
  }
  expect(looked).toBeGreaterThan(10_000)
})
