import type { RoleAssignment } from '@gantry/api/people/policy'
import type { RoleName } from '@gantry/api/base/roles.rules'
import { sql } from 'kysely'
import type { Cx } from '../../context/cx.ts'

/** Members of one group, and assignments of one silo, that are notified at most. */
const groupMax = 200

type Given = Pick<RoleAssignment, 'identity_type' | 'identity_id' | 'role_name'>

/** Finds the users behind these assignments and any part of them, each with a role. One statement reads all groups. */
export async function membersOf(
  cx: Cx,
  given: readonly Given[],
): Promise<(some: readonly Given[]) => Map<string, RoleName>> {
  const groups = given.flatMap(({ identity_type, identity_id }) =>
    identity_type === 'silo_group' ? [identity_id] : [],
  )
  const members = new Map<string, string[]>()
  if (groups.length > 0) {
    const { rows } = await sql<{ id: string; silo_user_id: string }>`
      SELECT asked.id, found.silo_user_id FROM unnest(${[...new Set(groups)]}::uuid[]) asked (id)
      CROSS JOIN LATERAL (SELECT m.silo_user_id FROM silo_group_membership m WHERE m.silo_group_id = asked.id
        ORDER BY m.silo_user_id LIMIT ${groupMax}) found`.execute(cx.db)
    for (const { id, silo_user_id } of rows) members.set(id, [...(members.get(id) ?? []), silo_user_id])
  }
  return (some) => {
    const users = new Map<string, RoleName>()
    for (const { identity_type, identity_id, role_name } of some) {
      if (identity_type === 'silo_user') users.set(identity_id, role_name)
      else for (const user of members.get(identity_id) ?? []) if (!users.has(user)) users.set(user, role_name)
    }
    return users
  }
}

/** The admins of silos, by silo, in two statements. */
export async function adminsOf(
  cx: Cx,
  silos: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (silos.length === 0) return new Map()
  const { rows } = await sql<Given & { silo: string }>`
    SELECT asked.id AS silo, found.* FROM unnest(${[...new Set(silos)]}::uuid[]) asked (id)
    CROSS JOIN LATERAL (SELECT a.identity_type, a.identity_id, a.role_name FROM role_assignment a
      WHERE a.resource_type = 'silo' AND a.resource_id = asked.id AND a.role_name = 'admin'
      ORDER BY a.identity_id LIMIT ${groupMax}) found`.execute(cx.db)
  const members = await membersOf(cx, rows)
  return new Map(silos.map((silo) => [silo, [...members(rows.filter((row) => row.silo === silo)).keys()]]))
}
