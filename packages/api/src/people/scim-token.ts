import { z } from 'zod'
import { del, family, get, post } from '../op.ts'
import { initialVersion } from '../versions/newest.rules.ts'
import { named, NameOrId, Timestamp, Uuid } from '../schema.ts'

const token = { id: Uuid, time_created: Timestamp, time_expires: Timestamp.nullish() }
export const ScimToken = named('ScimClientBearerToken', z.object(token))
export type ScimToken = z.infer<typeof ScimToken>

const ScimTokenCreated = named(
  'ScimClientBearerTokenValue',
  z.object({
    /** It is shown this once. */
    bearer_token: z.string(),
    ...token,
  }),
)
export type ScimTokenCreated = z.infer<typeof ScimTokenCreated>

const query = z.object({ silo: NameOrId })
const one = { path: z.object({ token_id: Uuid }), query } as const

export const scimTokenOps = family('system/silos', ['scim-token'], {
  scimTokenList: get('/v1/system/scim/tokens', {
    since: initialVersion,
    summary: 'List SCIM tokens',
    query,
    returns: z.array(ScimToken).meta({ title: 'Array_of_ScimClientBearerToken' }),
  }),
  scimTokenCreate: post('/v1/system/scim/tokens', {
    since: initialVersion,
    summary: 'Create SCIM token',
    query,
    returns: ScimTokenCreated,
  }),
  scimTokenView: get('/v1/system/scim/tokens/{token_id}', {
    since: initialVersion,
    summary: 'Fetch SCIM token',
    noScreen: { shownBy: 'scimTokenList' },
    ...one,
    returns: ScimToken,
  }),
  scimTokenDelete: del('/v1/system/scim/tokens/{token_id}', {
    since: initialVersion,
    summary: 'Delete SCIM token',
    ...one,
  }),
})
