import { sees } from '../../lookup/location.ts'
import type { EffectiveRoles, GroupAccess, UserAccess } from '@gantry/api/base/permission'
import type { AccessSort } from '@gantry/api/base/permission.rules'
import { ops } from '@gantry/api/registry'
import { externalIdMaxLength } from '@gantry/api/people/silo.rules'
import { isLonger } from '@gantry/api/base/text.rules'
import { type RawBuilder, sql } from 'kysely'
import { readAssignments } from '../../authz/assignments.ts'
import type { Assignment } from '../../authz/effective.ts'
import { containing } from '../../db/like.ts'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import type { Reader } from '../../db/database.ts'
import { keysetPage, textKey } from '../../list/keyset-page.ts'
import { addressOf, need } from '../../lookup/need.ts'
import { personView } from '../people/people.ts'
import { describeRoles, type RoleReader } from './roles.ts'

interface AccessQuery {
  limit?: number | null | undefined
  page_token?: string | null | undefined
  sort_by?: AccessSort | null | undefined
  silo?: string | null | undefined
  project?: string | null | undefined
  name?: string | null | undefined
  group?: string | null | undefined
}
type Page<Item> = { items: Item[]; next_page: string | null }
type Person = Row<'silo_group'>

export async function listUserAccess(cx: Cx, query: AccessQuery): Promise<Page<UserAccess>> {
  const { people, next_page, roles } = await listPeople(cx, 'silo_user', query)
  const groups = await groupsOf(cx.db, people)
  return {
    items: people.map((user) => ({ ...personView(user), groups: groups(user.id), roles: roles(user.id) })),
    next_page,
  }
}

export async function listGroupAccess(cx: Cx, query: AccessQuery): Promise<Page<GroupAccess>> {
  const { people, next_page, roles } = await listPeople(cx, 'silo_group', query)
  const sizes = await sizesOf(cx.db, people)
  return {
    items: people.map((group) => ({
      ...personView(group),
      member_count: sizes.get(group.id) ?? 0,
      roles: roles(group.id),
    })),
    next_page,
  }
}

/** A user of a silo, by default the caller's own, with their roles in one or all projects. */
export async function viewRoles(
  cx: Cx,
  table: 'silo_user' | 'silo_group',
  id: string,
  asked: Pick<AccessQuery, 'silo' | 'project'>,
): Promise<EffectiveRoles> {
  const { silo, projects } = await roleReader(cx, asked)
  const { row: person } = await need(cx, table, { user_id: id, group_id: id }, 'read', { silo_id: silo.id })
  const held = (await readAssignments(cx.db, silo.id, [person.id]))(person.id)
  return asked.project ? describeRoles(cx, silo, held, projects) : describeHeld(cx, silo, held)
}

/** The effective roles from these assignments, limited to projects that the caller may read. */
export async function describeHeld(
  cx: Cx,
  silo: Row<'silo'>,
  held: readonly Assignment[],
): Promise<EffectiveRoles> {
  const ids = held.flatMap((one) => (one.resource_type === 'project' ? one.resource_id : []))
  return describeRoles(cx, silo, held, await readableProjects(cx, ids))
}

/** A page of users or groups by name, each with effective roles; three queries, however long the page is. */
async function listPeople(cx: Cx, table: 'silo_user' | 'silo_group', query: AccessQuery) {
  let onlooker: RoleReader | undefined
  const { items, next_page } = await keysetPage(
    cx,
    table === 'silo_user' ? ops.userAccessList : ops.groupAccessList,
    table,
    query,
    {
      keys: { name: textKey('external_id', (text) => !isLonger(text, externalIdMaxLength)) },
      where: async (asked) => {
        onlooker = await roleReader(cx, asked)
        return conditionsOf(cx, onlooker, asked)
      },
    },
    (row) => row,
  )
  if (!onlooker) throw new Error('a page without its silo')
  const { silo, projects } = onlooker
  const people: Person[] = items
  const held = await readAssignments(
    cx.db,
    silo.id,
    people.map(({ id }) => id),
    projects.map(({ id }) => id),
  )
  return { people, next_page, roles: (id: string) => describeRoles(cx, silo, held(id), projects) }
}

async function roleReader(cx: Cx, { silo: selector, project }: AccessQuery): Promise<RoleReader> {
  const { row: silo } = await need(cx, 'silo', { silo: selector ?? cx.user().silo_id }, 'read')
  if (!project) return { silo, projects: [] }
  const { row } = await need(cx, 'project', { project }, 'read')
  if (row.silo_id !== silo.id) throw addressOf('project', project)
  return { silo, projects: [row] }
}

async function conditionsOf(
  cx: Cx,
  { silo }: RoleReader,
  { name, group }: AccessQuery,
): Promise<RawBuilder<unknown>[]> {
  const conditions = [sql`t.silo_id = ${silo.id}`]
  if (name) conditions.push(sql`lower(t.external_id) LIKE ${containing(name)}`)
  if (group) {
    const { id } = (await need(cx, 'silo_group', { group_id: group }, 'read', { silo_id: silo.id })).row
    conditions.push(sql`t.id IN (SELECT silo_user_id FROM silo_group_membership WHERE silo_group_id = ${id})`)
  }
  return conditions
}

async function groupsOf(
  db: Reader,
  users: readonly Person[],
): Promise<(userId: string) => UserAccess['groups']> {
  if (users.length === 0) return () => []
  const rows = await db
    .selectFrom('silo_group_membership as m')
    .innerJoin('silo_group as g', 'g.id', 'm.silo_group_id')
    .select(['m.silo_user_id', 'g.id', 'g.external_id'])
    .where('g.time_deleted', 'is', null)
    .where(sql<boolean>`m.silo_user_id = ANY (${users.map(({ id }) => id)}::uuid[])`)
    .orderBy('g.external_id')
    .execute()
  const groups = new Map<string, UserAccess['groups']>(users.map(({ id }) => [id, []]))
  for (const row of rows) groups.get(row.silo_user_id)?.push({ id: row.id, display_name: row.external_id })
  return (userId) => groups.get(userId) ?? []
}

async function sizesOf(db: Reader, groups: readonly Person[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('silo_group_membership')
    .select(['silo_group_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where(sql<boolean>`silo_group_id = ANY (${groups.map(({ id }) => id)}::uuid[])`)
    .groupBy('silo_group_id')
    .execute()
  return new Map(rows.map((row) => [row.silo_group_id, row.count]))
}

async function readableProjects(cx: Cx, ids: readonly string[]): Promise<Row<'project'>[]> {
  const projects = await cx.db
    .selectFrom('project')
    .selectAll()
    .where(sql<boolean>`id = ANY (${ids}::uuid[])`)
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()
  return projects.filter(({ id, silo_id }) => sees(cx, 'project', { silo_id, project_id: id }))
}
