import { z } from 'zod'
import { family, get, post } from '../op.ts'
import { isTooLong, passwordMaxBytes } from './password.rules.ts'
import { IdPaging, idSorts, maybe, Name, named, pageOf, text, Timestamp, Uuid } from '../schema.ts'

const person = {
  id: Uuid,
  display_name: z.string(),
  silo_id: Uuid,
  time_created: Timestamp,
  time_modified: Timestamp,
}
export const User = named('User', z.object(person))
export type User = z.infer<typeof User>
export const Group = named('Group', z.object(person))
export type Group = z.infer<typeof Group>
export const CurrentUser = named(
  'CurrentUser',
  z.object({ ...person, silo_name: Name, fleet_viewer: z.boolean(), silo_admin: z.boolean() }),
)
export type CurrentUser = z.infer<typeof CurrentUser>

const passwordTooLong = 'unsupported password: the password provided was too long'
/** The minimum length and the list of common passwords apply only to new passwords (`password.rules.ts`). */
export const Password = named(
  'Password',
  text(passwordMaxBytes, passwordTooLong).refine((password) => !isTooLong(password), passwordTooLong),
)
export const Credentials = named(
  'UsernamePasswordCredentials',
  z.object({ username: Name, password: Password }),
)
export const UserPage = pageOf('User', User)
const GroupPage = pageOf('Group', Group)

export const meOps = {
  ...family('system/status', [], {
    ping: get('/v1/ping', {
      summary: 'Check that the API responds',
      noScreen: { sentBy: 'load balancers and monitors' },
      anonymous: true,
      returns: named('Ping', z.object({ status: z.enum(['ok']) })),
    }),
  }),
  ...family('login', [], {
    loginLocal: post('/v1/login/{silo_name}/local', {
      changes: ['console-session'],
      summary: 'Sign in with a user name and password',
      anonymous: true,
      path: z.object({ silo_name: Name }),
      body: Credentials,
      status: 204,
    }),
  }),
  ...family('console-auth', [], {
    logout: post('/v1/logout', {
      summary: 'Sign out',
      anonymous: true,
      signsOut: true,
      status: 204,
      changes: ['console-session'],
    }),
  }),
  ...family('current-user', ['silo-user', 'silo-group', 'silo', 'policy'], {
    currentUserView: get('/v1/me', { summary: 'Fetch the signed-in user', returns: CurrentUser }),
    currentUserGroups: get('/v1/me/groups', {
      summary: 'List the groups of the signed-in user',
      query: IdPaging,
      sorts: idSorts,
      returns: GroupPage,
      reads: ['silo-group', 'silo-user'],
    }),
  }),
  ...family('silos', ['silo-user'], {
    userList: get('/v1/users', {
      summary: 'List users of the silo',
      query: IdPaging.extend({ group: maybe(Uuid) }),
      sorts: idSorts,
      returns: UserPage,
    }),
    userView: get('/v1/users/{user_id}', {
      summary: 'Fetch a user',
      path: z.object({ user_id: Uuid }),
      returns: User,
    }),
  }),
  ...family('silos', ['silo-group'], {
    groupList: get('/v1/groups', {
      summary: 'List groups of the silo',
      query: IdPaging,
      sorts: idSorts,
      returns: GroupPage,
    }),
    groupView: get('/v1/groups/{group_id}', {
      summary: 'Fetch a group',
      path: z.object({ group_id: Uuid }),
      returns: Group,
    }),
  }),
}
