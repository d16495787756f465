import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { call } from '#/data/client.ts'
import { isAbsent } from '#/data/extensions.ts'
import type { Fallback } from '#/data/fallback.ts'
import { allQuery, type ListQuery, listQuery, opQuery } from '#/data/queries.ts'
import type { FindSearch } from '#/kit/list/use-list-page.ts'
import { sortOf } from '#/kit/list/find.ts'
import { siloAt } from '../queries.ts'

/** On servers of the reference API, a user without the facts of signing in. */
type Facts = OutputOf<'siloPersonList'>['items'][number]
export type Person = OutputOf<'siloUserList'>['items'][number] & Partial<Facts>

const queryOf = (search: FindSearch) => {
  const name = search.name?.trim()
  const sortBy = sortOf(search).isDescending ? ('name_descending' as const) : ('name_ascending' as const)
  return { ...(name && { name }), sortBy }
}

/** With sign-in methods, for operators who may change them. */
export const peopleFound = (silo: string, search: FindSearch) =>
  listQuery(
    op.siloPersonList,
    { ...siloAt(silo), query: queryOf(search) },
    { fallback: plainPeople(silo) },
  ) as unknown as ListQuery<'siloUserList'>
/** The same users, without names to find them by. */
const plainPeople =
  (silo: string): Fallback<'siloPersonList'> =>
  async ({ query: { limit, pageToken } = {} }, options) => {
    const { data, etag } = await call(op.siloUserList, { query: { silo, limit, pageToken } }, options)
    return { data: data as unknown as OutputOf<'siloPersonList'>, etag }
  }
/** Whether the server says how users sign in, creates one-time passwords, and finds users by name. */
export const hasPeople = (): boolean => !isAbsent(op.siloPersonList)
/** With groups and roles, for everyone who may see the silo. */
export const usersFound = (silo: string, search: FindSearch) =>
  listQuery(op.userAccessList, { query: { silo, ...queryOf(search) } })
export const groupsFound = (silo: string, search: FindSearch) =>
  listQuery(op.groupAccessList, { query: { silo, ...queryOf(search) } })

export const siloUserView = (silo: string, userId: string) =>
  opQuery(op.siloUserView, { path: { userId }, query: { silo } })
export const userRolesIn = (silo: string, userId: string) =>
  opQuery(op.userEffectiveRoles, { path: { userId }, query: { silo } })
/** Only the list shows a user with groups. */
export const usersNamedIn = (silo: string, name: string) =>
  allQuery(op.userAccessList, { query: { silo, name } })
export const siloPolicyOf = (silo: string) => opQuery(op.siloPolicyView, siloAt(silo))

/** A new one-time password and its user. */
export interface Issued {
  silo: string
  name: string
  password: string
}
