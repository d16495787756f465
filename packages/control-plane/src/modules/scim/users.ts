import { canonicalUuid, isUuid } from '@gantry/api/base/name.rules'
import { sql } from 'kysely'
import type { Change } from '../../change/change.ts'
import { forgetIdentity } from '../../change/policies.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { endCredentials } from '../sign-in/sessions/end-credentials.ts'
import { removePeople } from '../people/remove-people.ts'
import {
  attributesOf,
  fold,
  noResource,
  readActive,
  readExternalId,
  readName,
  uniqueness,
} from './attributes.ts'
import { grouped, listResources } from './lists.ts'
import { readUserPatch, type UserEdit } from './patch.ts'
import { type GroupOfUser, refuseStale, userResource, type UserRow } from './resources.ts'
import { clientOf, scimChange, tellOf } from './scim-change.ts'

export const listUsers = (cx: Cx, search: URLSearchParams) =>
  listResources<UserRow>(cx, search, {
    table: 'silo_user',
    name: 'userName',
    parts: 'groups',
    count: async (ids) => {
      const { rows } = await sql<{ id: string; n: number }>`SELECT silo_user_id AS id, count(*)::int AS n
        FROM silo_group_membership WHERE silo_user_id = ANY (${ids}::uuid[]) GROUP BY silo_user_id`.execute(
        cx.db,
      )
      return new Map(rows.map(({ id, n }) => [id, n]))
    },
    view: async (rows, hasGroups) => {
      const groups = await groupsOf(cx.db, hasGroups ? rows.map(({ id }) => id) : [])
      return rows.map((row) => userResource(cx, row, groups(row.id)))
    },
  })

export async function viewUser(cx: Cx, given: string) {
  const { silo_id } = clientOf(cx)
  const row = await cx.db
    .selectFrom('silo_user')
    .selectAll()
    .where('id', '=', idOf(given))
    .where('silo_id', '=', silo_id)
    .where('folded_name', 'is not', null)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!row) throw noResource('user', given)
  return resourceOf(cx, cx.db, row)
}

/** A user as a client creates or replaces it. */
function readUser(body: unknown): UserEdit & { userName: string } {
  const given = attributesOf(body)
  const active = given.get('active')
  return {
    userName: readName('userName', given.get('username')),
    externalId: readExternalId(given.get('externalid')),
    ...(active !== undefined && { active: readActive(active) }),
  }
}

export async function createUser(cx: Cx, body: unknown) {
  const { userName, active = true, externalId = null } = readUser(body)
  return scimChange(cx, 201, async (tx, silo_id) => {
    const row = await named(userName, () =>
      tx.insert('silo_user', {
        silo_id,
        ...namesOf(userName),
        scim_external_id: externalId,
        is_active: active,
      }),
    )
    tellOf(cx, 'silo-user', row)
    return userResource(cx, row, [])
  })
}

/** What a client leaves out is removed, except whether the user is active: leaving that out must not let anyone in. */
export const replaceUser = (cx: Cx, given: string, body: unknown) => {
  const wanted = readUser(body)
  return editUser(cx, given, wanted)
}

export const patchUser = (cx: Cx, given: string, body: unknown) => editUser(cx, given, readUserPatch(body))

function editUser(cx: Cx, given: string, edit: UserEdit) {
  return scimChange(cx, 200, async (tx, silo_id) => {
    const row = await lockUser(tx, silo_id, given)
    tellOf(cx, 'silo-user', row)
    const before = await resourceOf(cx, tx.read, row)
    refuseStale(cx, before)
    const { userName = row.external_id, active = row.is_active, externalId = row.scim_external_id } = edit
    if (userName === row.external_id && active === row.is_active && externalId === row.scim_external_id)
      return before
    const next = await named(userName, () =>
      tx.update('silo_user', row, { ...namesOf(userName), scim_external_id: externalId, is_active: active }),
    )
    if (row.is_active && !active) await endCredentials(tx, row.id)
    return resourceOf(cx, tx.read, next)
  })
}

/** Deletes a user with all that is theirs: sessions and tokens, memberships and roles. */
export function deleteUser(cx: Cx, given: string): Promise<void> {
  return scimChange(cx, 204, async (tx, silo_id) => {
    // Groups before users, as a change of their members locks them.
    const groups = await tx.read
      .selectFrom('silo_group')
      .selectAll()
      .where('time_deleted', 'is', null)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('silo_group_membership')
          .select('silo_group_id')
          .where('silo_user_id', '=', idOf(given)),
      )
      .where('silo_id', '=', silo_id)
      .orderBy('id')
      .forUpdate()
      .execute()
    const row = await lockUser(tx, silo_id, given)
    tellOf(cx, 'silo-user', row)
    refuseStale(cx, await resourceOf(cx, tx.read, row))
    await forgetIdentity(tx, 'silo_user', row.id)
    await removePeople(tx, [row])
    await tx.updateAll('silo_group', groups, {})
  })
}

async function lockUser(tx: Change, silo_id: string, given: string): Promise<UserRow> {
  const row = await tx.read
    .selectFrom('silo_user')
    .selectAll()
    .where('id', '=', idOf(given))
    .where('silo_id', '=', silo_id)
    .where('folded_name', 'is not', null)
    .where('time_deleted', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw noResource('user', given)
  return row
}

async function resourceOf(cx: Cx, db: Pick<Reader, 'selectFrom'>, row: UserRow) {
  const groups = await groupsOf(db, [row.id])
  return userResource(cx, row, groups(row.id))
}

/** The groups of users, by their ids. */
async function groupsOf(
  db: Pick<Reader, 'selectFrom'>,
  users: readonly string[],
): Promise<(user: string) => readonly GroupOfUser[]> {
  const rows =
    users.length === 0
      ? []
      : await db
          .selectFrom('silo_group_membership as m')
          .innerJoin('silo_group as g', 'g.id', 'm.silo_group_id')
          .select(['m.silo_user_id', 'g.id', 'g.external_id'])
          .where(sql<boolean>`m.silo_user_id = ANY (${users}::uuid[])`)
          .where('g.time_deleted', 'is', null)
          .orderBy('g.id')
          .execute()
  const byUser = grouped(rows, ({ silo_user_id }) => silo_user_id)
  return (user) => byUser.get(user) ?? []
}

const namesOf = (name: string) => ({ external_id: name, folded_name: fold(name) })

const named = (userName: string, write: () => Promise<UserRow>): Promise<UserRow> =>
  write().catch((error: unknown) => {
    const { constraint } = error as { constraint?: string }
    throw constraint === 'silo_user_folded_key' || constraint === 'silo_user_external_key'
      ? uniqueness(`There is a user with the userName "${userName}".`)
      : error
  })

/** What is no id names no user. */
const noId = '00000000-0000-0000-0000-000000000000'
export const idOf = (given: string): string => (isUuid(given) ? canonicalUuid(given) : noId)
