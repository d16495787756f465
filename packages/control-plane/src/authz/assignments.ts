import { type RawBuilder, sql } from 'kysely'
import type { Reader } from '../db/database.ts'
import { fleetId } from './actor.ts'
import type { Assignment } from './effective.ts'

type Held = Assignment & { identity_id: string }

/**
 * What these users or groups of a silo hold, by identity: on the fleet, on the silo and on its projects (or
 * the given ones); for users, also through their groups. One query for any number of them.
 */
export const readAssignments = (
  db: Reader,
  siloId: string,
  identities: readonly string[],
  projects?: readonly string[],
): Promise<(identity: string) => readonly Assignment[]> =>
  read(
    db,
    [siloId],
    identities,
    projects ? sql`p.id = ANY (${projects}::uuid[])` : sql`p.silo_id = ${siloId}`,
  )

/**
 * The same for users of several silos, without projects. A role on a silo may be one that is not the user's
 * own.
 */
export const readAssignmentsAcross = (
  db: Reader,
  silos: readonly string[],
  identities: readonly string[],
): Promise<(identity: string) => readonly Assignment[]> => read(db, silos, identities, sql`false`)

async function read(
  db: Reader,
  silos: readonly string[],
  identities: readonly string[],
  ofProjects: RawBuilder<unknown>,
): Promise<(identity: string) => readonly Assignment[]> {
  const { rows } = await sql<Held>`
    SELECT who.id AS identity_id, r.resource_type, r.resource_id, r.role_name, who.group
    FROM (
      SELECT id, 'silo_user' AS type, id AS holder, NULL::jsonb AS "group"
      FROM silo_user WHERE id = ANY (${identities}::uuid[])
      UNION ALL
      SELECT id, 'silo_group', id, NULL FROM silo_group WHERE id = ANY (${identities}::uuid[])
      UNION ALL
      SELECT m.silo_user_id, 'silo_group', g.id, jsonb_build_object('id', g.id, 'display_name', g.external_id)
      FROM silo_group_membership m JOIN silo_group g ON g.id = m.silo_group_id AND g.time_deleted IS NULL
      WHERE m.silo_user_id = ANY (${identities}::uuid[])
    ) who
    JOIN role_assignment r ON r.identity_type = who.type AND r.identity_id = who.holder
    WHERE (r.resource_type = 'fleet' AND r.resource_id = ${fleetId})
      OR (r.resource_type = 'silo' AND r.resource_id = ANY (${silos}::uuid[]))
      OR (r.resource_type = 'project' AND r.resource_id IN
        (SELECT p.id FROM project p WHERE ${ofProjects} AND p.time_deleted IS NULL))`.execute(db)
  const held = new Map<string, Assignment[]>()
  for (const { identity_id, ...assignment } of rows) {
    const known = held.get(identity_id)
    if (known) known.push(assignment)
    else held.set(identity_id, [assignment])
  }
  return (identity) => held.get(identity) ?? []
}
