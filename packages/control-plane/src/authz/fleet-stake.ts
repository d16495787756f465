import { sql } from 'kysely'
import type { Row } from '../db/tables.ts'
import type { Reader } from '../kernel/cx.ts'
import { readAssignments } from './assignments.ts'
import { explainRoles } from './effective.ts'
import { mapsToFleet } from './policy.ts'

type Silo = Pick<Row<'silo'>, 'id' | 'mapped_fleet_roles'>

/*
 * Where a role on the fleet is at stake, for `Place.fleet_stake`. None of these needs a lock: a mapping never changes,
 * and a role that is given meanwhile might as well have been given just afterwards.
 */

/** The policy and the sign-in settings of the silo decide who holds roles that reach the fleet. */
export const siloPlace = ({ id, mapped_fleet_roles }: Silo) =>
  ({ class: 'silo', silo_id: id, fleet_stake: mapsToFleet(mapped_fleet_roles) }) as const

/** Whether this person has a role on the fleet: their own, through a group, or by the silo's mapping. */
export async function holdsFleetRole(db: Reader, silo: Silo, userId: string): Promise<boolean> {
  const held = await readAssignments(db, silo.id, [userId], [])
  return explainRoles(held(userId), silo.mapped_fleet_roles).fleet.role_name !== null
}

/**
 * Whether the silo maps roles to the fleet, or a user or group of it holds one: whoever decides who signs in there
 * can sign in as any of them, and whoever deletes the silo deletes them.
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
