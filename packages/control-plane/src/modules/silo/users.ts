import type { User } from '@gantry/api/me'
import type { UserBuiltin } from '@gantry/api/system-user'
import { canonicalUuid, isUuid } from '@gantry/api/name.rules'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../kernel/cx.ts'
import { addressOf } from '../../kernel/need.ts'
import { type ListQuery, listPage } from '../../kernel/page.ts'
import { needPerson, personView } from '../identity/people.ts'
import { needSilo } from './find.ts'

export const listSiloUsers = (cx: Cx, query: ListQuery) =>
  listPage(
    cx,
    'silo_user',
    query,
    async ({ silo }) => ({ where: { silo_id: (await needSilo(cx, silo ?? '', 'read')).id } }),
    personView,
  )

export async function viewSiloUser(cx: Cx, userId: string, selector: string): Promise<User> {
  const silo = await needSilo(cx, selector, 'read')
  return personView(await needPerson(cx.db, 'silo_user', userId, silo.id))
}

export function listBuiltinUsers(cx: Cx, query: ListQuery) {
  cx.demand('list_children', { class: 'fleet' })
  return listPage(cx, 'user_builtin', query, () => ({ where: {} }), builtinView)
}

export async function viewBuiltinUser(cx: Cx, selector: string): Promise<UserBuiltin> {
  const users = cx.db.selectFrom('user_builtin').selectAll().where('time_deleted', 'is', null)
  const row = await (
    isUuid(selector) ? users.where('id', '=', canonicalUuid(selector)) : users.where('name', '=', selector)
  ).executeTakeFirst()
  if (!row || !cx.can('read', { class: 'fleet' })) throw addressOf('user-builtin', selector)
  return builtinView(row)
}

const builtinView = ({
  id,
  name,
  description,
  time_created,
  time_modified,
}: Row<'user_builtin'>): UserBuiltin => ({
  id,
  name,
  description,
  time_created: time_created.toISOString(),
  time_modified: time_modified.toISOString(),
})
