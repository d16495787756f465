import { z } from 'zod'
import { del, family, get } from '../op.ts'
import { IdPaging, idSorts, named, pageOf, Timestamp, Uuid } from '../schema.ts'

/** A token as shown in lists; its secret is returned only once, to the device that requested it. */
export const DeviceAccessToken = named(
  'DeviceAccessToken',
  z.object({ id: Uuid, time_created: Timestamp, time_expires: Timestamp.nullish() }),
)
export type DeviceAccessToken = z.infer<typeof DeviceAccessToken>

const listed = { query: IdPaging, sorts: idSorts, returns: pageOf('DeviceAccessToken', DeviceAccessToken) }

export const accessTokenOps = {
  ...family('tokens', ['device-access-token'], {
    currentUserAccessTokenList: get('/v1/me/access-tokens', {
      summary: 'List access tokens of the signed-in user',
      ...listed,
    }),
    currentUserAccessTokenDelete: del('/v1/me/access-tokens/{token_id}', {
      summary: 'Delete an access token of the signed-in user',
      path: z.object({ token_id: Uuid }),
    }),
  }),
  ...family('silos', ['device-access-token'], {
    userTokenList: get('/v1/users/{user_id}/access-tokens', {
      summary: 'List access tokens of a user',
      path: z.object({ user_id: Uuid }),
      ...listed,
    }),
  }),
}
