import { sees } from '../../kernel/place.ts'
import type { EffectiveRoles, GroupAccess, UserAccess } from '@gantry/api/permission'
import type { AccessSort } from '@gantry/api/permission.rules'
import { ops } from '@gantry/api/registry'
import { externalIdMaxLength } from '@gantry/api/silo.rules'
import { type RawBuilder, sql } from 'kysely'
import { readAssignments } from '../../authz/assignments.ts'
import { containing } from '../../db/like.ts'
import type { Row } from '../../db/tables.ts'
import type { Cx, Reader } from '../../kernel/cx.ts'
import { keysetPage, textKey } from '../../kernel/keyset-page.ts'
import { addressOf, need } from '../../kernel/need.ts'
import { personView } from '../identity/people.ts'
import { describeRoles, type Onlooker } from './roles.ts'

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
type Person = Row<'silo_user'>

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

/** Somebody of the caller's silo, with the one project that was asked for or all that there is to say of. */
export async function viewRoles(
  cx: Cx,
  table: 'silo_user' | 'silo_group',
  id: string,
  project: string | null | undefined,
): Promise<EffectiveRoles> {
  const { row: silo } = await need(cx, 'silo', { silo: cx.user().silo_id }, 'read')
  const { row: person } = await need(cx, table, { user_id: id, group_id: id }, 'read')
  const held = await readAssignments(cx.db, silo.id, [person.id])
  if (project) {
    const { row } = await need(cx, 'project', { project }, 'read')
    return describeRoles(cx, silo, held(person.id), [row])
  }
  const ids = held(person.id).flatMap((one) => (one.resource_type === 'project' ? one.resource_id : []))
  return describeRoles(cx, silo, held(person.id), await readableProjects(cx, ids))
}

/** A page of users or groups by name, with what each may do; three queries, however long the page is. */
async function listPeople(cx: Cx, table: 'silo_user' | 'silo_group', query: AccessQuery) {
  let onlooker: Onlooker | undefined
  const { items, next_page } = await keysetPage(
    cx,
    table === 'silo_user' ? ops.userAccessList : ops.groupAccessList,
    table,
    query,
    {
      keys: { name: textKey('external_id', (text) => text.length <= externalIdMaxLength) },
      where: async (asked) => {
        onlooker = await lookAt(cx, asked)
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

async function lookAt(cx: Cx, { silo: selector, project }: AccessQuery): Promise<Onlooker> {
  const { row: silo } = await need(cx, 'silo', { silo: selector ?? cx.user().silo_id }, 'read')
  if (!project) return { silo, projects: [] }
  const { row } = await need(cx, 'project', { project }, 'read')
  if (row.silo_id !== silo.id) throw addressOf('project', project)
  return { silo, projects: [row] }
}

async function conditionsOf(
  cx: Cx,
  { silo }: Onlooker,
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
