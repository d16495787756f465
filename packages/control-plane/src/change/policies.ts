import { policyMaxAssignments } from '@gantry/api/base/roles.rules'
import type { FleetPolicy, RoleAssignment, RolePolicy } from '@gantry/api/people/policy'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Row } from '../db/tables.ts'
import type { Change } from './change.ts'
import type { Reader } from '../db/database.ts'
import { generationKey, isExpected, stale } from '../lookup/etag.ts'
import { invalid } from '../context/refusal.ts'

export type PolicyResource = Pick<Row<'role_assignment'>, 'resource_type' | 'resource_id'>

/**
 * Ordered by role, then identity (control plane reference, A 6.6), with the generation of the list as its
 * ETag.
 */
export async function readPolicy<On extends PolicyResource>(db: Reader, resource: On): Promise<PolicyOf<On>> {
  // In one statement: between two, a concurrent replacement could yield the ETag of another list.
  const policy = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('policy')
        .select('generation')
        .where('resource_type', '=', resource.resource_type)
        .where('resource_id', '=', resource.resource_id)
        .as('generation'),
      jsonArrayFrom(assignmentsOf(db, resource)).as('role_assignments'),
    ])
    .executeTakeFirstOrThrow()
  // What is stored was parsed as a policy of its level.
  return withGeneration(policy.role_assignments, policy.generation ?? 0) as PolicyOf<On>
}

/** The fleet has fewer roles. */
type PolicyOf<On extends PolicyResource> = On extends { resource_type: 'fleet' } ? FleetPolicy : RolePolicy

/**
 * Replaces the whole list; duplicate assignments are merged. `If-Match` applies to the list as a whole, so
 * that no caller removes a role they have not seen. Returns the list as sent.
 */
export async function replacePolicy(
  tx: Change,
  resource: PolicyResource,
  wanted: readonly RoleAssignment[],
): Promise<RolePolicy> {
  const generation = await raiseGeneration(tx, resource)
  if (!isExpected(tx.cx, generation - 1)) throw stale(generation - 1)
  await refuseOutside(tx, resource, wanted)
  const before = await assignmentsOf(tx.read, resource).execute()
  await tx.roles
    .deleteFrom('role_assignment')
    .where('resource_type', '=', resource.resource_type)
    .where('resource_id', '=', resource.resource_id)
    .execute()
  const rows = new Map(
    wanted.map((role) => [
      `${role.identity_type} ${role.identity_id} ${role.role_name}`,
      { ...resource, ...role },
    ]),
  )
  if (rows.size > 0)
    await tx.roles
      .insertInto('role_assignment')
      .values([...rows.values()])
      .execute()
  tx.note('policy', resource.resource_id, { role_assignments: before }, { role_assignments: wanted })
  return withGeneration([...wanted], generation)
}

/**
 * Adds one assignment to the list as it is then: what others add or delete at the same time stays as they left it.
 */
export async function addAssignment(
  tx: Change,
  resource: PolicyResource,
  added: RoleAssignment,
): Promise<void> {
  await raiseGeneration(tx, resource)
  await refuseOutside(tx, resource, [added])
  const before = await assignmentsOf(tx.read, resource).execute()
  if (before.length >= policyMaxAssignments)
    throw invalid(
      `there are ${policyMaxAssignments} role assignments already, which is the limit`,
      'Take a role from another user or group first.',
    )
  await tx.roles
    .insertInto('role_assignment')
    .values({ ...resource, ...added })
    .execute()
  tx.note(
    'policy',
    resource.resource_id,
    { role_assignments: before },
    { role_assignments: [...before, added] },
  )
}

/** Takes one assignment from the list, if it is there. */
export async function removeAssignment(
  tx: Change,
  resource: PolicyResource,
  { identity_id, identity_type, role_name }: RoleAssignment,
): Promise<void> {
  const before = await assignmentsOf(tx.read, resource).execute()
  const after = before.filter((one) => one.identity_id !== identity_id || one.role_name !== role_name)
  if (after.length === before.length) return
  await raiseGeneration(tx, resource)
  await tx.roles
    .deleteFrom('role_assignment')
    .where('resource_type', '=', resource.resource_type)
    .where('resource_id', '=', resource.resource_id)
    .where('identity_type', '=', identity_type)
    .where('identity_id', '=', identity_id)
    .where('role_name', '=', role_name)
    .execute()
  tx.note('policy', resource.resource_id, { role_assignments: before }, { role_assignments: after })
}

/** Takes every role from a user or group that is being deleted, so that no policy names it afterwards. */
export async function forgetIdentity(
  tx: Change,
  identity_type: RoleAssignment['identity_type'],
  identity_id: string,
): Promise<void> {
  const held = await tx.read
    .selectFrom('role_assignment')
    .leftJoin('project', (join) =>
      join.onRef('project.id', '=', 'role_assignment.resource_id').on('resource_type', '=', 'project'),
    )
    .select(['resource_type', 'resource_id', 'role_name', 'project.silo_id'])
    .where('identity_type', '=', identity_type)
    .where('identity_id', '=', identity_id)
    // In one order, as policies are locked.
    .orderBy('resource_id')
    .orderBy('role_name')
    .execute()
  const own = tx.scope
  for (const { resource_type, resource_id, role_name, silo_id } of held) {
    if (resource_type === 'project') tx.at({ silo_id, project_id: resource_id })
    else tx.at({ silo_id: resource_type === 'silo' ? resource_id : null, project_id: null })
    await removeAssignment(tx, { resource_type, resource_id }, { identity_type, identity_id, role_name })
  }
  tx.at(own)
}

/** Service accounts of a project have roles in that project only: a role elsewhere would be one that only looks so. */
async function refuseOutside(
  tx: Change,
  { resource_id }: PolicyResource,
  wanted: readonly RoleAssignment[],
): Promise<void> {
  const ids = wanted.flatMap(({ identity_type, identity_id }) =>
    identity_type === 'silo_user' ? identity_id : [],
  )
  if (ids.length === 0) return
  const outside = await tx.read
    .selectFrom('silo_user')
    .select('external_id')
    .where('id', 'in', ids)
    .where('within_project_id', '<>', resource_id)
    .where('time_deleted', 'is', null)
    .orderBy('external_id')
    .limit(1)
    .executeTakeFirst()
  if (outside)
    throw invalid(
      `the service account "${outside.external_id}" can have roles in its own project only`,
      'Make a service account of the silo, or one in the other project.',
    )
}

/** Deletes the policy of an object that is being deleted, whatever its generation. Returns the roles it gave. */
export async function forgetPolicy(tx: Change, resource: PolicyResource): Promise<RoleAssignment[]> {
  const roles = await assignmentsOf(tx.read, resource).execute()
  await tx.roles
    .deleteFrom('role_assignment')
    .where('resource_type', '=', resource.resource_type)
    .where('resource_id', '=', resource.resource_id)
    .execute()
  await tx.plain
    .deleteFrom('policy')
    .where('resource_type', '=', resource.resource_type)
    .where('resource_id', '=', resource.resource_id)
    .execute()
  return roles
}

/** Locks the policy's row, on which concurrent editors serialise; the first editor creates it. */
async function raiseGeneration(tx: Change, resource: PolicyResource): Promise<number> {
  const { generation } = await tx.plain
    .insertInto('policy')
    .values({ ...resource, generation: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['resource_type', 'resource_id'])
        .doUpdateSet((eb) => ({ generation: eb('policy.generation', '+', 1) })),
    )
    .returning('generation')
    .executeTakeFirstOrThrow()
  return generation
}

const assignmentsOf = (db: Pick<Reader, 'selectFrom'>, resource: PolicyResource) =>
  db
    .selectFrom('role_assignment')
    .select(['identity_id', 'identity_type', 'role_name'])
    .where('resource_type', '=', resource.resource_type)
    .where('resource_id', '=', resource.resource_id)
    .orderBy('role_name')
    .orderBy('identity_id')

const withGeneration = (role_assignments: RoleAssignment[], generation: number): RolePolicy =>
  Object.assign({ role_assignments }, { [generationKey]: generation })
