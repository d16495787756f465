import { z } from 'zod'
import { User } from './me.ts'
import { family, get, type Kind, post } from '../op.ts'
import { accessPageTokenMax } from '../base/permission.ts'
import { accessSorts } from '../base/permission.rules.ts'
import { maybe, Name, named, NameOrId, pageOf, paging, text, Timestamp, Uuid } from '../schema.ts'
import { externalIdMaxLength, passwordStates } from './silo.rules.ts'

/**
 * How a user signs in, and the number of their sessions and tokens. Visible only to callers who may change
 * them.
 */
export const SiloPerson = named(
  'SiloPerson',
  z.object({
    ...User.shape,
    time_created: Timestamp,
    /** Whether the user may sign in: an identity provider can deactivate those that it manages by SCIM. */
    is_active: z.boolean(),
    password: named('PasswordState', z.enum(passwordStates)),
    has_second_factor: z.boolean(),
    /** Sessions and access tokens that have not expired. */
    session_count: z.number().int(),
    access_token_count: z.number().int(),
    /** Latest use of an open session, to the minute; null without one. */
    time_last_used: Timestamp.nullable(),
  }),
)
export type SiloPerson = z.infer<typeof SiloPerson>

const UserInvite = named('UserInvite', z.object({ external_id: Name }))
/** The password appears only in this response. */
const oneTimePassword = { password: z.string() }
const InvitedUser = named('InvitedUser', z.object({ user: User, ...oneTimePassword }))
const OneTimePassword = named('OneTimePassword', z.object(oneTimePassword))

const atSilo = z.object({ silo: NameOrId })
/** By default the caller's own silo. */
const ofUser = { path: z.object({ user_id: Uuid }), query: z.object({ silo: maybe(NameOrId) }) } as const
const peopleKinds: readonly Kind[] = ['silo-user', 'console-session', 'device-access-token', 'second-factor']

export const siloPeopleOps = family('extensions', peopleKinds, {
  siloPersonList: get('/ext/v1/system/silos/{silo}/people', {
    summary: 'List users of a silo with how they sign in',
    path: atSilo,
    query: z.object({
      ...paging(accessPageTokenMax),
      sort_by: maybe(named('PersonSortMode', z.enum(accessSorts))),
      /** Part of the name, ignoring case. */
      name: maybe(text(externalIdMaxLength, `expected at most ${externalIdMaxLength} characters`)),
    }),
    sorts: accessSorts,
    returns: pageOf('SiloPerson', SiloPerson),
  }),
  siloUserInvite: post('/ext/v1/system/silos/{silo}/people', {
    changes: ['silo-user'],
    summary: 'Create a local user with a one-time password',
    path: atSilo,
    body: UserInvite,
    returns: InvitedUser,
  }),
  userPasswordReset: post('/ext/v1/users/{user_id}/one-time-password', {
    changes: ['silo-user', 'console-session', 'device-access-token'],
    summary: "Replace a local user's password with a one-time password, and end their sessions and tokens",
    ...ofUser,
    returns: OneTimePassword,
  }),
  userSessionsEnd: post('/ext/v1/users/{user_id}/end-sessions', {
    changes: ['console-session', 'device-access-token'],
    summary: "End a user's sessions and access tokens",
    ...ofUser,
    status: 204,
  }),
})
