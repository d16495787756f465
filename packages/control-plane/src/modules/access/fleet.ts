import type { FleetAccess, FleetUser } from '@gantry/api/people/fleet-access'
import type { AccessSort } from '@gantry/api/base/permission.rules'
import { ops } from '@gantry/api/registry'
import { roleOrder } from '@gantry/api/base/roles.rules'
import { externalIdMaxLength } from '@gantry/api/people/silo.rules'
import { isLonger } from '@gantry/api/base/text.rules'
import { type RawBuilder, sql } from 'kysely'
import { fleetId } from '../../authz/actor.ts'
import { readAssignmentsAcross } from '../../authz/assignments.ts'
import { explainRoles } from '../../authz/effective.ts'
import { fleetRoleOf } from '../../authz/policy.ts'
import { containing } from '../../db/like.ts'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { keysetPage, textKey } from '../../list/keyset-page.ts'
import { needFleet } from '../../lookup/need.ts'
import { readPolicy } from '../../change/policies.ts'
import { personView } from '../people/people.ts'

type Silo = Pick<Row<'silo'>, 'id' | 'name' | 'mapped_fleet_roles'>

/** The fleet's policy with names from every silo, and the mappings of all silos, discoverable or not. */
export async function viewFleetAccess(cx: Cx): Promise<FleetAccess> {
  needFleet(cx, 'read')
  const { role_assignments } = await readPolicy(cx.db, { resource_type: 'fleet', resource_id: fleetId })
  const names = await namesOf(cx.db, role_assignments)
  return {
    assignments: role_assignments.map((one) => {
      const known = names.get(identityKey(one))
      return {
        ...one,
        display_name: known?.external_id ?? null,
        silo: known ? { id: known.silo_id, name: known.silo_name } : null,
      }
    }),
    mappings: (await mappedSilos(cx.db)).flatMap(({ id, name, mapped_fleet_roles }) =>
      roleOrder.flatMap((silo_role) =>
        (mapped_fleet_roles[silo_role] ?? []).map((fleet_role) => ({
          silo: { id, name },
          silo_role,
          fleet_role,
        })),
      ),
    ),
  }
}

interface FleetUserQuery {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  sort_by?: AccessSort | null | undefined
  name?: string | null | undefined
}

/**
 * Every user with a fleet role: direct, through a group, or mapped from a silo role; one page takes four
 * queries.
 */
export async function listFleetUsers(
  cx: Cx,
  query: FleetUserQuery,
): Promise<{ items: FleetUser[]; next_page: string | null }> {
  needFleet(cx, 'list_children')
  const { items, next_page } = await keysetPage(
    cx,
    ops.fleetUserList,
    'silo_user',
    query,
    {
      keys: { name: textKey('external_id', (text) => !isLonger(text, externalIdMaxLength)) },
      where: async ({ name }) => [
        holdsFleetRole(await mappedSilos(cx.db)),
        ...(name ? [sql`lower(t.external_id) LIKE ${containing(name)}`] : []),
      ],
    },
    (row) => row,
  )
  const silos = await silosOf(cx.db, items)
  const held = await readAssignmentsAcross(
    cx.db,
    [...silos.keys()],
    items.map(({ id }) => id),
  )
  return {
    items: items.flatMap((user) => {
      const silo = silos.get(user.silo_id)
      if (!silo) return []
      const own = held(user.id).filter((one) => one.resource_type === 'fleet' || one.resource_id === silo.id)
      const { fleet } = explainRoles(own, silo.mapped_fleet_roles)
      return [{ ...personView(user), silo_name: silo.name, fleet }]
    }),
    next_page,
  }
}

/** On alias `t`. A role on a silo applies only to users and groups of that silo. */
function holdsFleetRole(mapped: readonly Silo[]): RawBuilder<unknown> {
  const pairs = mapped.flatMap(({ id, mapped_fleet_roles }) =>
    roleOrder.filter((role) => fleetRoleOf(role, mapped_fleet_roles)).map((role) => ({ id, role })),
  )
  return sql`t.silo_id IN (SELECT id FROM silo WHERE time_deleted IS NULL) AND EXISTS (
    SELECT 1 FROM role_assignment r
    WHERE ((r.resource_type = 'fleet' AND r.resource_id = ${fleetId})
        OR (r.resource_type = 'silo' AND r.resource_id = t.silo_id AND (r.resource_id, r.role_name) IN (
          SELECT * FROM unnest(${pairs.map(({ id }) => id)}::uuid[], ${pairs.map(({ role }) => role)}::text[]))))
      AND ((r.identity_type = 'silo_user' AND r.identity_id = t.id)
        OR (r.identity_type = 'silo_group' AND r.identity_id IN (
          SELECT m.silo_group_id FROM silo_group_membership m
          JOIN silo_group g ON g.id = m.silo_group_id AND g.time_deleted IS NULL
          WHERE m.silo_user_id = t.id))))`
}

const mappedSilos = (db: Reader): Promise<Silo[]> =>
  db
    .selectFrom('silo')
    .select(['id', 'name', 'mapped_fleet_roles'])
    .where('time_deleted', 'is', null)
    .where(sql<boolean>`mapped_fleet_roles <> '{}'::jsonb`)
    .orderBy('name')
    .execute()

async function silosOf(db: Reader, users: readonly Row<'silo_user'>[]): Promise<Map<string, Silo>> {
  const ids = [...new Set(users.map(({ silo_id }) => silo_id))]
  const rows = await db
    .selectFrom('silo')
    .select(['id', 'name', 'mapped_fleet_roles'])
    .where(sql<boolean>`id = ANY (${ids}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

type Identity = Pick<Row<'role_assignment'>, 'identity_type' | 'identity_id'>
interface Named extends Identity {
  external_id: string
  silo_id: string
  silo_name: string
}

const identityKey = ({ identity_type, identity_id }: Identity): string => `${identity_type} ${identity_id}`

async function namesOf(db: Reader, identities: readonly Identity[]): Promise<Map<string, Named>> {
  const ids = identities.map(({ identity_id }) => identity_id)
  const { rows } = await sql<Named>`
    SELECT who.identity_type, who.id AS identity_id, who.external_id, who.silo_id, silo.name AS silo_name
    FROM (SELECT 'silo_user' AS identity_type, id, external_id, silo_id FROM silo_user WHERE time_deleted IS NULL
      UNION ALL SELECT 'silo_group', id, external_id, silo_id FROM silo_group WHERE time_deleted IS NULL) who
    JOIN silo ON silo.id = who.silo_id AND silo.time_deleted IS NULL
    WHERE who.id = ANY (${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [identityKey(row), row]))
}
