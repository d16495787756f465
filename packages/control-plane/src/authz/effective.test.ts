import { actions } from '@gantry/api/extensions.rules'
import { type RoleName, roleOrder } from '@gantry/api/roles.rules'
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
  ['viewer', 'viewer'],
] as const)('a silo %s is as good as a project %s', (silo, project) => {
  expect(projectRoleOf(silo)).toBe(project)
})

test('everything that brings a role is told, the strongest first, the own before that of groups', () => {
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
  const told = ({ sources }: typeof roles.silo) =>
    sources.map(
      (one) => `${one.role_name} as ${one.assigned_on} ${one.assigned_role} by ${one.group?.id ?? 'self'}`,
    )
  expect(told(roles.silo)).toEqual([
    'viewer as silo viewer by self',
    'viewer as silo viewer by apes',
    'viewer as silo viewer by zebras',
  ])
  expect(told(roles.inProject('atlas'))).toEqual([
    'collaborator as project collaborator by self',
    'viewer as project viewer by readers',
    'viewer as silo viewer by self',
    'viewer as silo viewer by apes',
    'viewer as silo viewer by zebras',
  ])
  expect(told(roles.fleet)).toEqual(told(roles.silo))
  expect(roles.inProject('other').role_name).toBe('admin')
  expect(roles.inProject('third')).toEqual(roles.everyProject)
  expect(roles.projects).toEqual(['atlas', 'other'])
})

test('a stronger role on the silo brings the fleet roles of the weaker ones', () => {
  const mapped: MappedFleetRoles = { admin: ['viewer'], collaborator: ['collaborator', 'viewer'] }
  const fleetRole = (silo: RoleName) => explainRoles([on('silo', silo)], mapped).fleet.role_name
  expect(roleOrder.map(fleetRole)).toEqual(['collaborator', 'collaborator', null])
})

test('what is explained is what decides, for whatever somebody holds', () => {
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
    const told = explainRoles(held, mapped)
    expect([told.fleet.role_name, told.silo.role_name]).toEqual([roles.fleet ?? null, roles.silo ?? null])
    const inProject = told.inProject('atlas')
    /** Somebody who has the role that is told, on the project itself and nothing else. */
    const alone = rolesOf(me, inProject.role_name ? [on('project', inProject.role_name)] : [], {})
    const sources = {
      fleet: told.fleet.sources,
      silo: told.silo.sources,
      project: inProject.sources.filter(({ assigned_on }) => assigned_on === 'project'),
    }
    const unexplained = everything.filter(({ resource, action }) => {
      const place = { class: resource, silo_id: siloId, project_id: 'atlas', owner_id: 'another' }
      const by = grantedBy(roles, action, place)
      looked += by ? 1 : 0
      if ((by === 'fleet' || by === 'silo' || by === 'project') && sources[by].length === 0) return true
      const isOfProject = resource === 'project' || resource === 'projectChild'
      return isOfProject && permits(alone, action, place) !== (by !== undefined)
    })
    expect(unexplained).toEqual([])
  }
  expect(looked).toBeGreaterThan(10_000)
})
