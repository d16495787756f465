import { sql } from 'kysely'
import type { Reader } from '../kernel/cx.ts'
import { fleetId } from './actor.ts'
import type { Assignment } from './effective.ts'

type Held = Assignment & { identity_id: string }

/**
 * What these people or groups of a silo hold, by identity: on the fleet, on the silo and on its projects (or on
 * those of them that are named), people also through their groups. One query, however many they are.
 */
export async function readAssignments(
  db: Reader,
  siloId: string,
  identities: readonly string[],
  projects?: readonly string[],
): Promise<(identity: string) => readonly Assignment[]> {
  const ofProjects = projects ? sql`p.id = ANY (${projects}::uuid[])` : sql`p.silo_id = ${siloId}`
  const { rows } = await sql<Held>`
    SELECT who.id AS identity_id, r.resource_type, r.resource_id, r.role_name, who.group
    FROM (
      SELECT id, id AS holder, NULL::jsonb AS "group" FROM unnest(${identities}::uuid[]) AS id
      UNION ALL
      SELECT m.silo_user_id, g.id, jsonb_build_object('id', g.id, 'display_name', g.external_id)
      FROM silo_group_membership m JOIN silo_group g ON g.id = m.silo_group_id AND g.time_deleted IS NULL
      WHERE m.silo_user_id = ANY (${identities}::uuid[])
    ) who
    JOIN role_assignment r ON r.identity_id = who.holder
    WHERE (r.resource_type = 'fleet' AND r.resource_id = ${fleetId})
      OR (r.resource_type = 'silo' AND r.resource_id = ${siloId})
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
