import type { RoleAssignment, RolePolicy } from '@gantry/api/policy'
import type { Row } from '../db/tables.ts'
import type { Change } from './change.ts'
import type { Reader } from './cx.ts'

type Resource = Pick<Row<'role_assignment'>, 'resource_type' | 'resource_id'>

/** Ordered by role, then identity (control plane reference, A 6.6). */
export async function readPolicy(db: Reader, resource: Resource): Promise<RolePolicy> {
  const role_assignments = await db
    .selectFrom('role_assignment')
    .select(['identity_id', 'identity_type', 'role_name'])
    .where('resource_type', '=', resource.resource_type)
    .where('resource_id', '=', resource.resource_id)
    .orderBy('role_name')
    .orderBy('identity_id')
    .execute()
  return { role_assignments }
}

/** Replaces the whole list; naming the same role of the same identity twice counts once. */
export async function replacePolicy(
  tx: Change,
  resource: Resource,
  wanted: readonly RoleAssignment[],
): Promise<void> {
  const before = await readPolicy(tx.read, resource)
  await tx.plain
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
    await tx.plain
      .insertInto('role_assignment')
      .values([...rows.values()])
      .execute()
  tx.note('policy', resource.resource_id, before, { role_assignments: wanted })
}
