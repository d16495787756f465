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
 * Whether the silo maps roles to the fleet, or one of its users or groups holds a fleet role: control of sign-in there
 * lets an admin act as any of them, and deleting the silo deletes them.
 */
export const hasFleetRoles = async (db: Reader, silo: Silo): Promise<boolean> =>
  (await silosWithFleetRoles(db, [silo])).has(silo.id)

/** The ids of those silos for which `hasFleetRoles` is true. */
export async function silosWithFleetRoles(db: Reader, silos: readonly Silo[]): Promise<ReadonlySet<string>> {
  const mapping = silos
    .filter(({ mapped_fleet_roles }) => mapsToFleet(mapped_fleet_roles))
    .map(({ id }) => id)
  const others = silos.map(({ id }) => id).filter((id) => !mapping.includes(id))
  if (others.length === 0) return new Set(mapping)
  const { rows } = await sql<{ silo_id: string }>`
    SELECT u.silo_id FROM role_assignment r JOIN silo_user u ON u.id = r.identity_id
    WHERE r.resource_type = 'fleet' AND r.identity_type = 'silo_user'
      AND u.silo_id = ANY (${others}::uuid[]) AND u.time_deleted IS NULL
    UNION
    SELECT g.silo_id FROM role_assignment r JOIN silo_group g ON g.id = r.identity_id
    WHERE r.resource_type = 'fleet' AND r.identity_type = 'silo_group'
      AND g.silo_id = ANY (${others}::uuid[]) AND g.time_deleted IS NULL`.execute(db)
  return new Set([...mapping, ...rows.map(({ silo_id }) => silo_id)])
}
