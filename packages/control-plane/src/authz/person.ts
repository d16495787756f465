import { CompiledQuery } from 'kysely'
import type { Row } from '../db/tables.ts'
import type { Services } from '../kernel/cx.ts'
import { type Credential, rolesOf, type SiloUser } from './actor.ts'

export interface PersonRow {
  silo_user_id: string
  external_id: string
  silo_id: string
  silo_name: string
  mapped_fleet_roles: Row<'silo'>['mapped_fleet_roles']
  held: Pick<Row<'role_assignment'>, 'resource_type' | 'resource_id' | 'role_name'>[]
}

/** A person with silo and every role, as the columns of a query over `u` and `silo`. */
const person = `u.id AS silo_user_id, u.external_id, u.silo_id,
    silo.name AS silo_name, silo.mapped_fleet_roles, coalesce((
      SELECT jsonb_agg(jsonb_build_object('resource_type', r.resource_type, 'resource_id', r.resource_id,
        'role_name', r.role_name))
      FROM role_assignment r WHERE r.identity_id = ANY (u.id ||
        ARRAY(SELECT m.silo_group_id FROM silo_group_membership m WHERE m.silo_user_id = u.id))
    ), '[]'::jsonb) AS held`

/** Who a credential belongs to, with some of its columns: one round trip from one text, as every request pays for it. */
export const holderText = (table: string, columns: string, condition: string): string => `
  SELECT ${columns}, ${person}
  FROM ${table} c
  JOIN silo_user u ON u.id = c.silo_user_id AND u.time_deleted IS NULL
  JOIN silo ON silo.id = u.silo_id AND silo.time_deleted IS NULL
  WHERE ${condition}`

const personText = `
  SELECT ${person}
  FROM silo_user u JOIN silo ON silo.id = u.silo_id AND silo.time_deleted IS NULL
  WHERE u.id = $1 AND u.time_deleted IS NULL`

/** Somebody in whose name the machinery goes on, with the roles of this moment; undefined when there is no such person. */
export async function findPerson({ db }: Services, userId: string): Promise<SiloUser | undefined> {
  const { rows } = await db.executeQuery<PersonRow>(CompiledQuery.raw(personText, [userId]))
  return rows[0] && actorOf(rows[0], undefined)
}

export const actorOf = (row: PersonRow, credential: Credential | undefined): SiloUser => ({
  kind: 'silo_user',
  ...rolesOf({ user_id: row.silo_user_id, silo_id: row.silo_id }, row.held, row.mapped_fleet_roles),
  display_name: row.external_id,
  silo_name: row.silo_name,
  credential,
})
