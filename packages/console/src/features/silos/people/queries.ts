import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'
import type { FindSearch } from '#/features/common/use-list-page.ts'
import { sortOf } from '#/features/common/list/find.ts'
import { siloAt } from '../queries.ts'

export type Person = OutputOf<'siloPersonList'>['items'][number]

const queryOf = (search: FindSearch) => {
  const name = search.name?.trim()
  const sortBy = sortOf(search).isDescending ? ('name_descending' as const) : ('name_ascending' as const)
  return { ...(name && { name }), sortBy }
}

/** With sign-in methods, for operators who may change them. */
export const peopleFound = (silo: string, search: FindSearch) =>
  listQuery(op.siloPersonList, { ...siloAt(silo), query: queryOf(search) })
/** With groups and roles, for everyone who may see the silo. */
export const usersFound = (silo: string, search: FindSearch) =>
  listQuery(op.userAccessList, { query: { silo, ...queryOf(search) } })
export const groupsFound = (silo: string, search: FindSearch) =>
  listQuery(op.groupAccessList, { query: { silo, ...queryOf(search) } })

export const userRolesIn = (silo: string, userId: string) =>
  opQuery(op.userEffectiveRoles, { path: { userId }, query: { silo } })
/** Only the list shows a user with name and groups. */
export const allUsersOf = (silo: string) => allQuery(op.userAccessList, { query: { silo } })
export const siloPolicyOf = (silo: string) => opQuery(op.siloPolicyView, siloAt(silo))

/** A new one-time password and its user. */
export interface Issued {
  name: string
  password: string
}
