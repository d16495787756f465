import type { DeviceAccessToken } from '@gantry/api/people/access-token'
import type { ConsoleSession, OwnSession } from '@gantry/api/people/session'
import { canonicalUuid } from '@gantry/api/base/name.rules'
import { stillValid } from '@gantry/control-plane/authz/access-token'
import type { SiloUser } from '@gantry/control-plane/authz/actor'
import { stillOpen } from '@gantry/control-plane/authz/session'
import type { Row } from '@gantry/control-plane/db/tables'
import { change } from '@gantry/control-plane/change/change'
import type { Cx } from '@gantry/control-plane/context/cx'
import { allow, know } from '@gantry/control-plane/lookup/need'
import { endCredentials } from './end-credentials.ts'
import { type ListQuery, listPage } from '@gantry/control-plane/list/page'
import { notFound } from '@gantry/control-plane/context/refusal'

const scopeOf = ({ silo_id }: SiloUser) => ({ silo_id, project_id: null })

/** A user of the caller's silo, whose sessions and tokens the caller may view or end. */
async function needHolder(cx: Cx, user_id: string, action: 'list_children' | 'modify'): Promise<string> {
  const person = await know(cx, 'silo_user', { user_id })
  allow(cx, person, action, { as: 'userCredentials' })
  return person.row.id
}

export const listSessions = async (cx: Cx, user: string, query: ListQuery) => {
  const id = await needHolder(cx, user, 'list_children')
  return pageOfSessions(cx, id, query, sessionView)
}

export const listOwnSessions = (cx: Cx, query: ListQuery) => {
  const { user_id, credential } = cx.user()
  return pageOfSessions(cx, user_id, query, (row): OwnSession => {
    const { user_agent, address } = row
    return { ...sessionView(row), user_agent, address, current: row.id === credential?.id }
  })
}

const pageOfSessions = <View>(
  cx: Cx,
  silo_user_id: string,
  query: ListQuery,
  view: (row: Row<'console_session'>) => View,
) =>
  listPage(cx, 'console_session', query, () => ({ where: { silo_user_id }, and: stillOpen(cx.now()) }), view)

const sessionView = (row: Row<'console_session'>): ConsoleSession => ({
  id: row.id,
  time_created: row.time_created.toISOString(),
  time_last_used: row.time_last_used.toISOString(),
})

export const listTokens = async (cx: Cx, user: string, query: ListQuery) => {
  const id = await needHolder(cx, user, 'list_children')
  return pageOfTokens(cx, id, query)
}

export const listOwnTokens = (cx: Cx, query: ListQuery) => pageOfTokens(cx, cx.user().user_id, query)

const pageOfTokens = (cx: Cx, silo_user_id: string, query: ListQuery) =>
  listPage(
    cx,
    'device_access_token',
    query,
    () => ({ where: { silo_user_id }, and: stillValid(cx.now()) }),
    (row): DeviceAccessToken => ({
      id: row.id,
      time_created: row.time_created.toISOString(),
      time_expires: row.time_expires.toISOString(),
    }),
  )

/** Ends one of the caller's own sessions; those of others cannot be named here. */
export const endOwnSession = (cx: Cx, given: string): Promise<void> =>
  removeOwn(cx, 'console_session', 'console-session', given)

export const deleteOwnToken = (cx: Cx, given: string): Promise<void> =>
  removeOwn(cx, 'device_access_token', 'device-access-token', given)

async function removeOwn(
  cx: Cx,
  table: 'console_session' | 'device_access_token',
  kind: string,
  given: string,
): Promise<void> {
  const user = cx.user()
  const id = canonicalUuid(given)
  await change(cx, scopeOf(user), async (tx) => {
    const gone = await tx.plain
      .deleteFrom(table as 'console_session')
      .where('id', '=', id)
      .where('silo_user_id', '=', user.user_id)
      .executeTakeFirst()
    if (gone.numDeletedRows === 0n) throw notFound(kind, { id })
    tx.note(kind, id, undefined, undefined)
  })
}

/** Ends all sessions except the current one; for a caller without a session, all. */
export async function endOtherSessions(cx: Cx): Promise<void> {
  const user = cx.user()
  await change(cx, scopeOf(user), async (tx) => {
    // Waits for a concurrent sign-in, and ends its session too.
    await tx.lockById('silo_user', user.user_id)
    const own = tx.plain.deleteFrom('console_session').where('silo_user_id', '=', user.user_id)
    const { credential } = user
    await (credential?.method === 'session_cookie' ? own.where('id', '<>', credential.id) : own).execute()
    tx.note('console-session', user.user_id, undefined, undefined)
  })
}

/** Ends every session and token of a user, including the caller's own if that is the user. */
export async function logOutUser(cx: Cx, given: string): Promise<void> {
  const id = await needHolder(cx, given, 'modify')
  await change(cx, scopeOf(cx.user()), async (tx) => {
    await tx.lockById('silo_user', id)
    await endCredentials(tx, id)
  })
}
