import { sql } from 'kysely'
import type { Row } from '../db/tables.ts'
import type { Reader } from '../db/database.ts'
import { readAssignments } from './assignments.ts'
import { explainRoles } from './effective.ts'
import { mapsToFleet } from './policy.ts'

type Silo = Pick<Row<'silo'>, 'id' | 'mapped_fleet_roles'>

/*
 * Whether fleet roles are at stake, for `ResourceLocation.fleet_stake`. No locks are needed: a mapping never changes,
 * and a role granted concurrently could equally have been granted just afterwards.
 */

/** A silo's policy and sign-in settings decide who holds roles that reach the fleet. */
export const siloLocation = ({ id, mapped_fleet_roles }: Silo) =>
  ({ class: 'silo', silo_id: id, fleet_stake: mapsToFleet(mapped_fleet_roles) }) as const

/** Whether this user has a fleet role: directly, through a group, or by the silo's mapping. */
export async function holdsFleetRole(db: Reader, silo: Silo, userId: string): Promise<boolean> {
  const held = await readAssignments(db, silo.id, [userId], [])
  return explainRoles(held(userId), silo.mapped_fleet_roles).fleet.role_name !== null
}

/**
 * Whether the silo maps roles to the fleet, or one of its users or groups holds a fleet role: whoever
 * controls sign-in there can act as any of them, and whoever deletes the silo deletes them.
 */
export async function hasFleetRoles(db: Reader, { id, mapped_fleet_roles }: Silo): Promise<boolean> {
  if (mapsToFleet(mapped_fleet_roles)) return true
  const { rows } = await sql`
    SELECT 1 FROM role_assignment r WHERE r.resource_type = 'fleet' AND (
      EXISTS (SELECT 1 FROM silo_user u WHERE u.id = r.identity_id AND u.silo_id = ${id} AND u.time_deleted IS NULL)
      OR EXISTS
        (SELECT 1 FROM silo_group g WHERE g.id = r.identity_id AND g.silo_id = ${id} AND g.time_deleted IS NULL))
    LIMIT 1`.execute(db)
  return rows.length > 0
}
