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

/** With how they sign in, for those who may change it. */
export const peopleFound = (silo: string, search: FindSearch) =>
  listQuery(op.siloPersonList, { ...siloAt(silo), query: queryOf(search) })
/** With groups and roles, for everybody who may see the silo. */
export const usersFound = (silo: string, search: FindSearch) =>
  listQuery(op.userAccessList, { query: { silo, ...queryOf(search) } })
export const groupsFound = (silo: string, search: FindSearch) =>
  listQuery(op.groupAccessList, { query: { silo, ...queryOf(search) } })

export const userRolesIn = (silo: string, userId: string) =>
  opQuery(op.userEffectiveRoles, { path: { userId }, query: { silo } })
/** A user is told of with their name and groups in the list alone. */
export const allUsersOf = (silo: string) => allQuery(op.userAccessList, { query: { silo } })
export const siloPolicyOf = (silo: string) => opQuery(op.siloPolicyView, siloAt(silo))

/** A one-time password that was just made, for whom. */
export interface Issued {
  name: string
  password: string
}
