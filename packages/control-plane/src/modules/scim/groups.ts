import { sql } from 'kysely'
import type { Change } from '../../change/change.ts'
import { addAssignment, forgetIdentity, removeAssignment } from '../../change/policies.ts'
import type { Cx } from '../../context/cx.ts'
import { insufficient } from '../../context/refusal.ts'
import type { Reader } from '../../db/database.ts'
import { portions } from '../../db/portions.ts'
import { attributesOf, fold, noResource, readExternalId, readName, uniqueness } from './attributes.ts'
import { grouped, listResources } from './lists.ts'
import { type GroupEdit, type MemberStep, readGroupPatch, readMembers } from './patch.ts'
import { groupResource, type GroupRow, refuseStale } from './resources.ts'
import { clientOf, scimChange, tellOf } from './scim-change.ts'
import { idOf } from './users.ts'

/** Members of one group at most. */
const membersMax = 10_000

export const listGroups = (cx: Cx, search: URLSearchParams) =>
  listResources<GroupRow>(cx, search, {
    table: 'silo_group',
    name: 'displayName',
    parts: 'members',
    count: async (ids) => {
      const { rows } = await sql<{ id: string; n: number }>`SELECT silo_group_id AS id, count(*)::int AS n
        FROM silo_group_membership WHERE silo_group_id = ANY (${ids}::uuid[]) GROUP BY silo_group_id`.execute(
        cx.db,
      )
      return new Map(rows.map(({ id, n }) => [id, n]))
    },
    view: async (rows, hasMembers) => {
      const members = await membersOf(cx.db, hasMembers ? rows.map(({ id }) => id) : [])
      return rows.map((row) => groupResource(cx, row, members(row.id)))
    },
  })

export async function viewGroup(cx: Cx, given: string, hasMembers: boolean) {
  const { silo_id } = clientOf(cx)
  const row = await cx.db
    .selectFrom('silo_group')
    .selectAll()
    .where('id', '=', idOf(given))
    .where('silo_id', '=', silo_id)
    .where('folded_name', 'is not', null)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!row) throw noResource('group', given)
  const members = await membersOf(cx.db, hasMembers ? [row.id] : [])
  return groupResource(cx, row, members(row.id))
}

/** A group as a client creates or replaces it. */
function readGroup(body: unknown): GroupEdit & { displayName: string } {
  const given = attributesOf(body)
  return {
    displayName: readName('displayName', given.get('displayname')),
    externalId: readExternalId(given.get('externalid')),
    members: [{ op: 'replace', ids: readMembers(given.get('members')) }],
  }
}

export async function createGroup(cx: Cx, body: unknown) {
  const { displayName, externalId = null, members } = readGroup(body)
  return scimChange(cx, 201, async (tx, silo_id) => {
    const row = await named(displayName, () =>
      tx.insert('silo_group', { silo_id, ...namesOf(displayName), scim_external_id: externalId }),
    )
    tellOf(cx, 'silo-group', row)
    const ids = await writeMembers(tx, row, [], members)
    await giveAdmin(tx, undefined, row)
    return groupResource(cx, row, ids)
  })
}

export const replaceGroup = (cx: Cx, given: string, body: unknown) => editGroup(cx, given, readGroup(body))

export const patchGroup = (cx: Cx, given: string, body: unknown) =>
  editGroup(cx, given, readGroupPatch(body, given))

/** The steps apply to the members as they are once the group is locked, so that no concurrent one is lost. */
function editGroup(cx: Cx, given: string, edit: GroupEdit) {
  return scimChange(cx, 200, async (tx, silo_id) => {
    const row = await lockGroup(tx, silo_id, given)
    tellOf(cx, 'silo-group', row)
    const had = (await membersOf(tx.read, [row.id]))(row.id)
    const before = groupResource(cx, row, had)
    refuseStale(cx, before)
    const ids = await writeMembers(tx, row, had, edit.members)
    const { displayName = row.external_id, externalId = row.scim_external_id } = edit
    const isSame = displayName === row.external_id && externalId === row.scim_external_id
    if (isSame && ids === had) return before
    const next = await named(displayName, () =>
      tx.update('silo_group', row, { ...namesOf(displayName), scim_external_id: externalId }),
    )
    await giveAdmin(tx, row, next)
    return groupResource(cx, next, ids)
  })
}

/** Deletes a group with its roles; its members stay. */
export function deleteGroup(cx: Cx, given: string): Promise<void> {
  return scimChange(cx, 204, async (tx, silo_id) => {
    const row = await lockGroup(tx, silo_id, given)
    tellOf(cx, 'silo-group', row)
    const had = (await membersOf(tx.read, [row.id]))(row.id)
    refuseStale(cx, groupResource(cx, row, had))
    await writeMembers(tx, row, had, [{ op: 'clear' }])
    await forgetIdentity(tx, 'silo_group', row.id)
    await tx.remove('silo_group', row)
  })
}

async function lockGroup(tx: Change, silo_id: string, given: string): Promise<GroupRow> {
  const row = await tx.read
    .selectFrom('silo_group')
    .selectAll()
    .where('id', '=', idOf(given))
    .where('silo_id', '=', silo_id)
    .where('folded_name', 'is not', null)
    .where('time_deleted', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw noResource('group', given)
  return row
}

/** The ids of the members of groups, in order, by the groups' ids. */
async function membersOf(
  db: Pick<Reader, 'selectFrom'>,
  groups: readonly string[],
): Promise<(group: string) => readonly string[]> {
  const rows =
    groups.length === 0
      ? []
      : await db
          .selectFrom('silo_group_membership')
          .select(['silo_group_id', 'silo_user_id'])
          .where(sql<boolean>`silo_group_id = ANY (${groups}::uuid[])`)
          .orderBy('silo_user_id')
          .execute()
  const byGroup = grouped(rows, ({ silo_group_id }) => silo_group_id)
  return (group) => (byGroup.get(group) ?? []).map(({ silo_user_id }) => silo_user_id)
}

/** Returns the members afterwards: `had` itself if they are the same. Requires a lock on the group. */
async function writeMembers(
  tx: Change,
  group: GroupRow,
  had: readonly string[],
  steps: readonly MemberStep[],
): Promise<readonly string[]> {
  const known = new Set(had)
  const wanted = membersAfter(known, steps)
  const added = [...wanted].filter((id) => !known.has(id)).sort()
  const removed = had.filter((id) => !wanted.has(id))
  if (added.length + removed.length === 0) return had
  if (wanted.size > membersMax && added.length > 0)
    throw insufficient(`a group may have at most ${membersMax} members`, {
      help: 'Split the group, or assign fewer users to it.',
    })
  await needUsers(tx, group.silo_id, added)
  if (removed.length > 0)
    await tx.roles
      .deleteFrom('silo_group_membership')
      .where('silo_group_id', '=', group.id)
      .where(sql<boolean>`silo_user_id = ANY (${removed}::uuid[])`)
      .execute()
  for (const some of portions(added))
    await tx.roles
      .insertInto('silo_group_membership')
      .values(some.map((silo_user_id) => ({ silo_group_id: group.id, silo_user_id })))
      .execute()
  tx.note('silo-group-member', group.id, { members: removed }, { members: added })
  return [...wanted].sort()
}

function membersAfter(had: ReadonlySet<string>, steps: readonly MemberStep[]): Set<string> {
  let members = new Set(had)
  for (const step of steps) {
    if (step.op === 'clear') {
      members = new Set()
      continue
    }
    if (step.op === 'replace') members = new Set()
    for (const id of step.ids) {
      if (step.op === 'remove') members.delete(idOf(id))
      // Kept as given, so that a refusal can repeat it.
      else members.add(idOf(id) === noUser ? id : idOf(id))
    }
  }
  return members
}

const noUser = idOf('')

/** Refuses what is no user of the silo. Users are locked in order, so that none is deleted meanwhile. */
async function needUsers(tx: Change, silo_id: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await tx.read
    .selectFrom('silo_user')
    .select('id')
    .where(sql<boolean>`id = ANY (${ids.map(idOf)}::uuid[])`)
    .where('silo_id', '=', silo_id)
    .where('folded_name', 'is not', null)
    .where('time_deleted', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  const found = new Set(rows.map(({ id }) => id))
  const missing = ids.find((id) => !found.has(id))
  if (missing !== undefined) throw noResource('user', missing)
}

/** The group with the name that the silo gives its admins by has that role, and loses it with the name. */
async function giveAdmin(tx: Change, before: GroupRow | undefined, group: GroupRow): Promise<void> {
  const silo = await tx.read
    .selectFrom('silo')
    .select('admin_group_name')
    .where('id', '=', group.silo_id)
    .executeTakeFirstOrThrow()
  if (silo.admin_group_name === null) return
  const admins = fold(silo.admin_group_name)
  const [was, is] = [before?.folded_name === admins, group.folded_name === admins]
  if (was === is) return
  const resource = { resource_type: 'silo', resource_id: group.silo_id } as const
  const role = { identity_type: 'silo_group', identity_id: group.id, role_name: 'admin' } as const
  const has = await tx.read
    .selectFrom('role_assignment')
    .select('role_name')
    .where('resource_id', '=', group.silo_id)
    .where('identity_type', '=', 'silo_group')
    .where('identity_id', '=', group.id)
    .where('role_name', '=', 'admin')
    .executeTakeFirst()
  if (is && has) return
  await (is ? addAssignment(tx, resource, role) : removeAssignment(tx, resource, role))
}

const namesOf = (name: string) => ({ external_id: name, folded_name: fold(name) })

const named = (displayName: string, write: () => Promise<GroupRow>): Promise<GroupRow> =>
  write().catch((error: unknown) => {
    const { constraint } = error as { constraint?: string }
    throw constraint === 'silo_group_folded_key' || constraint === 'silo_group_external_key'
      ? uniqueness(`There is a group with the displayName "${displayName}".`)
      : error
  })
