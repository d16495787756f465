import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { allQuery, listQuery, opQuery } from '#/data/queries.ts'
import { sortOf } from '#/kit/list/find.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'

export type UserRow = OutputOf<'userAccessList'>['items'][number]
export type GroupRow = OutputOf<'groupAccessList'>['items'][number]
export type Roles = OutputOf<'userEffectiveRoles'>
export type EffectiveRole = Roles['silo']
export type Source = EffectiveRole['sources'][number]

/** The URL's filters of either list. */
const queryOf = (search: FindSearch) => {
  const name = search.name?.trim()
  const sortBy = sortOf(search).isDescending ? ('name_descending' as const) : ('name_ascending' as const)
  return { ...(name && { name }), sortBy }
}

export const usersFound = (search: FindSearch) => listQuery(op.userAccessList, { query: queryOf(search) })
export const groupsFound = (search: FindSearch) => listQuery(op.groupAccessList, { query: queryOf(search) })

export const userView = (userId: string) => opQuery(op.userView, { path: { userId } })
export const groupView = (groupId: string) => opQuery(op.groupView, { path: { groupId } })

/** Only the list shows a user with groups, so this finds the user there by name. */
export const usersNamed = (name: string) => allQuery(op.userAccessList, { query: { name } })
export const membersOf = (group: string) => allQuery(op.userAccessList, { query: { group } })

export const userRoles = (userId: string) => opQuery(op.userEffectiveRoles, { path: { userId }, query: {} })
export const groupRoles = (groupId: string) =>
  opQuery(op.groupEffectiveRoles, { path: { groupId }, query: {} })
export const userRolesIn = (userId: string, project: string) =>
  opQuery(op.userEffectiveRoles, { path: { userId }, query: { project } })
export const groupRolesIn = (groupId: string, project: string) =>
  opQuery(op.groupEffectiveRoles, { path: { groupId }, query: { project } })

/** Used without the change stream. */
export const peoplePollMs = 60_000
