import { z } from 'zod'
import { User, UserPage } from './me.ts'
import { family, get } from '../op.ts'
import {
  IdPaging,
  idSorts,
  maybe,
  named,
  NameOrId,
  pageOf,
  pageTokenMax,
  paging,
  Uuid,
  withIdentity,
} from '../schema.ts'

/** A built-in user that represents the system; no password or identity provider can sign in as one. */
export const UserBuiltin = named('UserBuiltin', withIdentity({}))
export type UserBuiltin = z.infer<typeof UserBuiltin>

const nameSorts = ['name_ascending'] as const

export const systemUserOps = {
  ...family('system/silos', ['silo-user'], {
    siloUserList: get('/v1/system/users', {
      summary: 'List users of a silo',
      query: IdPaging.extend({ silo: maybe(NameOrId) }),
      requiredOnFirstPage: ['silo'],
      sorts: idSorts,
      returns: UserPage,
    }),
    siloUserView: get('/v1/system/users/{user_id}', {
      summary: 'Fetch a user of a silo',
      path: z.object({ user_id: Uuid }),
      query: z.object({ silo: NameOrId }),
      returns: User,
    }),
  }),
  ...family('system/silos', [], {
    userBuiltinList: get('/v1/system/users-builtin', {
      summary: 'List built-in users',
      query: z.object({
        ...paging(pageTokenMax),
        sort_by: maybe(named('NameSortMode', z.enum(nameSorts))),
      }),
      sorts: nameSorts,
      returns: pageOf('UserBuiltin', UserBuiltin),
    }),
    userBuiltinView: get('/v1/system/users-builtin/{user}', {
      summary: 'Fetch a built-in user',
      path: z.object({ user: NameOrId }),
      returns: UserBuiltin,
    }),
  }),
}
