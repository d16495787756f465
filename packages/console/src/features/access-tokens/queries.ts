import type { OutputOf } from '@gantry/api/client/client'
import * as op from '@gantry/api/client/operations.gen'
import { listQuery, opQuery } from '#/data/queries.ts'

export type AccessToken = OutputOf<'currentUserAccessTokenList'>['items'][number]

export const accessTokens = listQuery(op.currentUserAccessTokenList, {})

export type TokenDetails = OutputOf<'accessTokenList'>['items'][number]

/** With their scopes and last uses, on servers that tell these. */
export const tokenDetails = opQuery(op.accessTokenList, {})

export const authSettings = opQuery(op.authSettingsView, {})
