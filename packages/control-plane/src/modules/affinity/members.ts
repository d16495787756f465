import type { GroupMember, GroupSizes } from '@gantry/api/compute/affinity'
import { affinityLimits, joinProblems } from '@gantry/api/compute/affinity.rules'
import { sql } from 'kysely'
import type { Row } from '../../db/tables.ts'
import { type Change, change } from '../../change/change.ts'
import type { Cx } from '../../context/cx.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { listPage, type ListQuery } from '../../list/page.ts'
import { alreadyExists, invalid, notFound } from '../../context/refusal.ts'
import { affinity, antiAffinity, type Family } from './families.ts'
import { type GroupRow, groupView } from './groups.ts'

type Instance = Row<'instance'>
type Membership = Pick<Row<Family['members']>, 'group_id' | 'instance_id'>

const memberView = ({ id, name, run_state }: Pick<Instance, 'id' | 'name' | 'run_state'>): GroupMember => ({
  type: 'instance',
  value: { id, name, run_state },
})

/** Sorted by the instances' names or ids. */
export const listMembers = (cx: Cx, family: Family, path: Selectors, query: ListQuery) =>
  listPage(
    cx,
    'instance',
    query,
    async (at) => {
      const { row: group } = await need(cx, family.groups, { ...at, ...path }, 'list_children')
      const isMember = sql`EXISTS (
        SELECT 1 FROM ${sql.table(family.members)} m WHERE m.instance_id = t.id AND m.group_id = ${group.id})`
      return { where: {}, and: isMember }
    },
    memberView,
  )

export const listGroupsOfInstance = (cx: Cx, family: Family, path: Selectors, query: ListQuery) =>
  listPage(
    cx,
    family.groups,
    query,
    async (at) => {
      const { row: instance } = await need(cx, 'instance', { ...at, ...path }, 'list_children')
      const hasMember = sql`EXISTS (
        SELECT 1 FROM ${sql.table(family.members)} m WHERE m.group_id = t.id AND m.instance_id = ${instance.id})`
      return { where: {}, and: hasMember }
    },
    groupView,
  )

/** For all groups of a project at once, because lists of groups show it. */
export async function listGroupSizes(cx: Cx, family: Family, at: Selectors): Promise<GroupSizes> {
  const { row: project } = await need(cx, 'project', at, 'list_children')
  const items = await cx.db
    .selectFrom(`${family.members} as member`)
    .innerJoin(`${family.groups} as group`, 'group.id', 'member.group_id')
    .select((eb) => ['member.group_id', eb.fn.countAll<number>().as('members')])
    .where('group.project_id', '=', project.id)
    .groupBy('member.group_id')
    .execute()
  return { items }
}

export async function viewMember(cx: Cx, family: Family, at: Selectors): Promise<GroupMember> {
  const { row: group } = await need(cx, family.groups, at, 'read')
  const { row: instance } = await need(cx, 'instance', at, 'read')
  const found = await cx.db
    .selectFrom(family.members)
    .select('group_id')
    .where('group_id', '=', group.id)
    .where('instance_id', '=', instance.id)
    .executeTakeFirst()
  if (!found) throw noMember(family, instance)
  return memberView(instance)
}

export async function addMember(cx: Cx, family: Family, at: Selectors): Promise<GroupMember> {
  const found = await need(cx, family.groups, at, 'modify')
  const { row } = await need(cx, 'instance', at, 'modify')
  if (row.project_id !== found.row.project_id)
    throw invalid(
      `instance must be in the same project as the ${family.name} group`,
      "Choose an instance of the group's project.",
    )
  return change(cx, found.scope, async (tx) => {
    const instance = await tx.lock('instance', row)
    await join(tx, family, await tx.lock(family.groups, found.row), instance)
    return memberView(instance)
  })
}

/** Allowed in any state: a running member stays on its sled. */
export async function removeMember(cx: Cx, family: Family, at: Selectors): Promise<void> {
  const { row: group, scope } = await need(cx, family.groups, at, 'modify')
  const { row: instance } = await need(cx, 'instance', at, 'modify')
  await change(cx, scope, async (tx) => {
    const gone = await tx.plain
      .deleteFrom(family.members)
      .where('group_id', '=', group.id)
      .where('instance_id', '=', instance.id)
      .executeTakeFirst()
    if (gone.numDeletedRows === 0n) throw noMember(family, instance)
    note(tx, family, { group_id: group.id, instance_id: instance.id }, 'left')
  })
}

const noMember = (family: Family, { id }: Instance): Error => notFound(family.membership, { id })

/** Adds an instance to a group, under the rules that creating and adding share. Requires locks on both. */
export async function join(tx: Change, family: Family, group: GroupRow, instance: Instance): Promise<void> {
  const { name, members } = family
  const count = async (column: keyof Membership, id: string): Promise<number> => {
    const rows = tx.plain.selectFrom(members).select((eb) => eb.fn.countAll<number>().as('count'))
    return (await rows.where(column, '=', id).executeTakeFirstOrThrow()).count
  }
  const known = await tx.plain
    .selectFrom(members)
    .select('group_id')
    .where('group_id', '=', group.id)
    .where('instance_id', '=', instance.id)
    .executeTakeFirst()
  if (known)
    throw alreadyExists(
      family.membership,
      instance.id,
      `${instance.name} is already a member of ${group.name}.`,
    )
  if (instance.vmm_id !== null) throw invalid(joinProblems.hasReservation(name), 'Stop the instance first.')
  if ((await count('group_id', group.id)) >= affinityLimits.membersPerGroup)
    throw invalid(joinProblems.groupFull(name), 'Remove an instance from the group, or use another group.')
  if ((await count('instance_id', instance.id)) >= affinityLimits.groupsPerInstance)
    throw invalid(joinProblems.tooManyGroups(name), 'Remove the instance from another group first.')
  const membership = { group_id: group.id, instance_id: instance.id }
  await tx.plain.insertInto(members).values(membership).execute()
  note(tx, family, membership, 'joined')
}

/** Deletes the memberships of a deleted instance, in both families. Returns the groups. */
export async function leaveAllGroups(tx: Change, instanceId: string): Promise<string[]> {
  const groups: string[] = []
  for (const family of [affinity, antiAffinity]) {
    const rows = await tx.plain
      .deleteFrom(family.members)
      .where('instance_id', '=', instanceId)
      .returning(['group_id', 'instance_id'])
      .execute()
    for (const membership of rows) note(tx, family, membership, 'left')
    groups.push(...rows.map(({ group_id }) => group_id))
  }
  return groups
}

/** Memberships are not visible objects: the stream names the group. */
function note(tx: Change, family: Family, membership: Membership, what: 'joined' | 'left'): void {
  const { group_id, instance_id } = membership
  const joined = what === 'joined' ? { instance_id } : undefined
  tx.note(family.membership, group_id, joined ? undefined : { instance_id }, joined)
}
