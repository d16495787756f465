import type { User } from '@gantry/api/people/me'
import type { UserBuiltin } from '@gantry/api/people/system-user'
import type { Row } from '../../db/tables.ts'
import type { Cx } from '../../context/cx.ts'
import { need, needFleet, type Selectors } from '../../lookup/need.ts'
import { type ListQuery, listAll, listPage } from '../../list/page.ts'
import { personView } from '../people/people.ts'

export const listSiloUsers = (cx: Cx, query: ListQuery) =>
  listPage(
    cx,
    'silo_user',
    query,
    async (at) => ({ where: { silo_id: (await need(cx, 'silo', at, 'read')).row.id } }),
    personView,
  )

export const viewSiloUser = async (cx: Cx, at: Selectors): Promise<User> =>
  personView((await need(cx, 'silo_user', at, 'read')).row)

export function listBuiltinUsers(cx: Cx, query: ListQuery) {
  needFleet(cx, 'list_children')
  return listAll(cx, 'user_builtin', query, builtinView)
}

export const viewBuiltinUser = async (cx: Cx, at: Selectors): Promise<UserBuiltin> =>
  builtinView((await need(cx, 'user_builtin', at, 'read')).row)

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
