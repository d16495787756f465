import type { RoleAssignment } from '@gantry/api/people/policy'
import type { Cx } from '../../context/cx.ts'

/** Members of one group who are notified at most. */
const groupMax = 200

/** The users behind these assignments, each with a role. */
export async function membersOf(cx: Cx, given: readonly RoleAssignment[]): Promise<Map<string, string>> {
  const users = new Map<string, string>()
  for (const { identity_type, identity_id, role_name } of given) {
    if (identity_type === 'silo_user') {
      users.set(identity_id, role_name)
      continue
    }
    const members = await cx.db
      .selectFrom('silo_group_membership')
      .select('silo_user_id')
      .where('silo_group_id', '=', identity_id)
      .orderBy('silo_user_id')
      .limit(groupMax)
      .execute()
    for (const { silo_user_id } of members) if (!users.has(silo_user_id)) users.set(silo_user_id, role_name)
  }
  return users
}

/** The admins of a silo. */
export async function adminsOf(cx: Cx, siloId: string): Promise<string[]> {
  const given = await cx.db
    .selectFrom('role_assignment')
    .select(['identity_type', 'identity_id', 'role_name'])
    .where('resource_type', '=', 'silo')
    .where('resource_id', '=', siloId)
    .where('role_name', '=', 'admin')
    .orderBy('identity_id')
    .limit(groupMax)
    .execute()
  return [...(await membersOf(cx, given)).keys()]
}
