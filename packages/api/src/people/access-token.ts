import { z } from 'zod'
import { del, family, get, post } from '../op.ts'
import { IdPaging, idSorts, list, maybe, named, NameOrId, pageOf, text, Timestamp, Uuid } from '../schema.ts'
import { tokenSecondsMax } from './device.rules.ts'
import { tokenLimits, tokenNameProblem, tokenPowers } from './token-scope.rules.ts'

/** A token as shown in lists; its secret is returned only once, to the device that requested it. */
export const DeviceAccessToken = named(
  'DeviceAccessToken',
  z.object({ id: Uuid, time_created: Timestamp, time_expires: Timestamp.nullish() }),
)
export type DeviceAccessToken = z.infer<typeof DeviceAccessToken>

const listed = { query: IdPaging, sorts: idSorts, returns: pageOf('DeviceAccessToken', DeviceAccessToken) }

const TokenPower = named('TokenPower', z.enum(tokenPowers))

const TokenDetails = named(
  'AccessTokenDetails',
  z.object({
    id: Uuid,
    /** Null for one that a device requested. */
    name: z.string().nullable(),
    description: z.string().nullable(),
    /** Null if it may do all that its user may. */
    scope: z
      .object({
        powers: z.array(TokenPower),
        /** Null: in all projects that its user sees. One without a name is gone, or hidden from its user. */
        projects: z.array(z.object({ id: Uuid, name: z.string().nullable() })).nullable(),
      })
      .nullable(),
    /** To the minute. */
    time_last_used: Timestamp.nullable(),
    last_address: z.string().nullable(),
    last_user_agent: z.string().nullable(),
    time_created: Timestamp,
    time_expires: Timestamp,
  }),
)
export type TokenDetails = z.infer<typeof TokenDetails>

const Name = text(tokenLimits.name, `a name may have at most ${tokenLimits.name} characters`).superRefine(
  (value, context) => {
    const message = tokenNameProblem(value)
    if (message) context.addIssue({ code: 'custom', message })
  },
)

export const TokenCreate = named(
  'AccessTokenCreate',
  z.object({
    name: Name,
    description: maybe(text(tokenLimits.description)),
    /** At most what the silo allows. */
    ttl_seconds: z.number().int().min(tokenLimits.secondsMin).max(tokenSecondsMax),
    powers: list(TokenPower, tokenPowers.length).min(1, 'a token needs to be allowed something'),
    /** Without them, all projects that the caller sees, now and later. */
    projects: maybe(list(NameOrId, tokenLimits.projects).min(1, 'name at least one project')),
  }),
)

export const TokenCreated = named(
  'AccessTokenCreated',
  z.object({
    /** As in the details, where clients find that of every object. */
    id: Uuid,
    /** The bearer token. It is shown this once. */
    token: z.string(),
    details: TokenDetails,
  }),
)

export const TokenDetailsList = named('AccessTokenDetailsList', z.object({ items: z.array(TokenDetails) }))

export const accessTokenOps = {
  ...family('extensions', ['device-access-token'], {
    accessTokenList: get('/ext/v1/me/access-tokens', {
      summary: "List the caller's access tokens, with their scopes and last uses, newest first",
      returns: TokenDetailsList,
    }),
    accessTokenCreate: post('/ext/v1/me/access-tokens', {
      summary: 'Create an access token that may do a part of what the caller may',
      body: TokenCreate,
      returns: TokenCreated,
    }),
    accessTokenDeleteAll: del('/ext/v1/me/access-tokens', {
      summary: "Delete all of the caller's access tokens",
    }),
  }),
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
