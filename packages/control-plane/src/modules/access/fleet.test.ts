import type { FleetUser } from '@gantry/api/people/fleet-access'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasFleetRoles } from '../../authz/fleet-stake.ts'
import { raiseRolesEpoch } from '../../authz/held-roles.ts'
import { type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'

let bed: TestBed
let operator: Caller
let mappedId: string
let plainId: string
const ids: Record<string, string> = {}
beforeAll(async () => {
  bed = await testControlPlane()
  operator = await bed.signIn('admin')
  mappedId = await bed.addSilo('mapped', { admin: ['admin'], viewer: ['viewer'] })
  plainId = await bed.addSilo('plain')
  await bed.db.updateTable('silo').set({ discoverable: false }).where('id', '=', mappedId).execute()
  const add = async (name: string, options: Parameters<TestBed['addUser']>[1]) => {
    ids[name] = (await bed.addUser(name, options)).id
  }
  await add('f-direct', { siloId: plainId, roles: [{ at: 'fleet', role: 'collaborator' }] })
  await add('f-group', { siloId: plainId, roles: [{ at: 'fleet', role: 'viewer' }], through: 'group' })
  await add('f-mapped', { siloId: mappedId, roles: [{ at: 'silo', role: 'admin' }] })
  await add('f-mapped-group', {
    siloId: mappedId,
    roles: [{ at: 'silo', role: 'collaborator' }],
    through: 'group',
  })
  await add('f-nothing', { siloId: plainId, roles: [{ at: 'silo', role: 'admin' }] })
  await add('f-elsewhere', { siloId: plainId })
  // A role on a silo that maps roles has no effect for users of another silo.
  await bed.db
    .insertInto('role_assignment')
    .values({
      resource_type: 'silo',
      resource_id: mappedId,
      identity_type: 'silo_user',
      identity_id: ids['f-elsewhere'] ?? '',
      role_name: 'admin',
    })
    .execute()
})
afterAll(() => bed.stop())

const listed = async (query: string) => (await operator.get(`/ext/v1/fleet-users?${query}`)).body

test('assignments carry names from every silo, and mappings cover every silo', async () => {
  const dangling = crypto.randomUUID()
  const policy = (await operator.get('/v1/system/policy')).body.role_assignments
  const added = { identity_type: 'silo_user', identity_id: dangling, role_name: 'viewer' }
  await operator.call('PUT', '/v1/system/policy', { role_assignments: [...policy, added] })
  const { assignments, mappings } = (await operator.get('/ext/v1/fleet-access')).body
  const of = (identity_id: string | undefined) =>
    assignments.find((one: { identity_id: string }) => one.identity_id === identity_id)
  expect(of(ids['f-direct'])).toMatchObject({
    identity_type: 'silo_user',
    role_name: 'collaborator',
    display_name: 'f-direct',
    silo: { id: plainId, name: 'plain' },
  })
  expect(of(dangling)).toMatchObject({ display_name: null, silo: null, role_name: 'viewer' })
  expect(assignments.map((one: { display_name: string }) => one.display_name)).toContain('f-group-group')
  const silo = { id: mappedId, name: 'mapped' }
  expect(mappings).toEqual([
    { silo, silo_role: 'admin', fleet_role: 'admin' },
    { silo, silo_role: 'viewer', fleet_role: 'viewer' },
  ])
})

test('every user with a fleet role is listed, with its sources', async () => {
  const { items } = await listed('name=f-')
  expect(
    items.map(({ display_name, silo_name, fleet }: FleetUser) => [
      display_name,
      silo_name,
      fleet.role_name,
      fleet.sources.map((one) => [one.assigned_on, one.assigned_role, one.group?.display_name]),
    ]),
  ).toEqual([
    ['f-direct', 'plain', 'collaborator', [['fleet', 'collaborator', undefined]]],
    ['f-group', 'plain', 'viewer', [['fleet', 'viewer', 'f-group-group']]],
    ['f-mapped', 'mapped', 'admin', [['silo', 'admin', undefined]]],
    ['f-mapped-group', 'mapped', 'viewer', [['silo', 'collaborator', 'f-mapped-group-group']]],
  ])
})

test('each listed role is the one that authorises requests', async () => {
  const { items } = await listed('')
  for (const { display_name, silo_name } of items) {
    const who = await bed.signIn(display_name, silo_name)
    expect([display_name, (await who.get('/v1/me')).body.fleet_viewer]).toEqual([display_name, true])
  }
  const names = items.map((one: { display_name: string }) => one.display_name)
  expect(names).not.toContain('f-nothing')
  expect(names).not.toContain('f-elsewhere')
})

test('the list is paged, in both directions', async () => {
  const all = (await listed('sort_by=name_descending')).items
  const first = await listed('sort_by=name_descending&limit=2')
  const second = await listed(`limit=2&page_token=${first.next_page}`)
  expect([...first.items, ...second.items]).toEqual(all.slice(0, 4))
})

test('an identity whose type is not that of its id holds no role', async () => {
  const siloId = await bed.addSilo('swapped')
  const roles = [{ at: 'fleet' as const, role: 'admin' as const }]
  const direct = await bed.addUser('swapped-direct', { siloId, roles })
  const grouped = await bed.addUser('swapped-group', { siloId, roles, through: 'group' })
  await sql`UPDATE role_assignment
    SET identity_type = CASE identity_type WHEN 'silo_user' THEN 'silo_group' ELSE 'silo_user' END
    WHERE identity_id = ${direct.id} OR identity_id IN
      (SELECT silo_group_id FROM silo_group_membership WHERE silo_user_id = ${grouped.id})`.execute(bed.db)
  await raiseRolesEpoch(bed.db)
  for (const who of [direct, grouped]) {
    expect((await who.get('/v1/me')).body.fleet_viewer).toBe(false)
    const { fleet } = (await operator.get(`/ext/v1/users/${who.id}/effective-roles?silo=swapped`)).body
    expect(fleet.role_name).toBe(null)
  }
  expect((await listed('name=swapped-')).items).toEqual([])
  expect(await hasFleetRoles(bed.db, { id: siloId, mapped_fleet_roles: {} })).toBe(false)
  const { assignments } = (await operator.get('/ext/v1/fleet-access')).body
  const names = assignments.map((one: { display_name: string | null }) => one.display_name)
  expect(names.filter((name: string | null) => name?.startsWith('swapped'))).toEqual([])
})
