import { z } from 'zod'
import { del, family, get, type Kind, post, put } from '../op.ts'
import {
  identityCreate,
  IdentityUpdate,
  InProject,
  maybe,
  named,
  NameOrId,
  nameOrIdSorts,
  pageOf,
  projectPaging,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { TokenCreate, TokenCreated, TokenDetailsList } from './access-token.ts'
import { SiloRole } from './policy.ts'
import { overlapSecondsMax } from './service-account.rules.ts'

/**
 * A member of the silo without a person: it has roles and access tokens, and cannot sign in. Its id is that of its user,
 * by which policies name it.
 */
const ServiceAccount = named(
  'ServiceAccount',
  withIdentity({
    /** The project outside of which it can do nothing; null for one of the silo. */
    project_id: Uuid.nullable(),
    /** Its strongest role in its project, or in the silo. */
    role_name: SiloRole.nullable(),
    /** Tokens that have not expired. */
    token_count: z.number().int().nonnegative().meta({ format: 'uint32' }),
  }),
)
export type ServiceAccount = z.infer<typeof ServiceAccount>

const ServiceAccountCreate = named(
  'ServiceAccountCreate',
  z.object({
    ...identityCreate,
    /** In its project, or in the silo. */
    role_name: maybe(SiloRole),
  }),
)
export type ServiceAccountCreate = z.infer<typeof ServiceAccountCreate>

const TokenRotate = named(
  'AccessTokenRotate',
  z.object({
    /** For how long the token that is replaced may still be used, unless it expires before. */
    overlap_seconds: z.number().int().min(0).max(overlapSecondsMax),
  }),
)

const path = z.object({ service_account: NameOrId })
const one = { path, query: InProject } as const
const ofToken = { path: path.extend({ token_id: Uuid }), query: InProject } as const

const kinds: readonly Kind[] = ['service-account', 'silo-user', 'policy', 'device-access-token']

export const serviceAccountOps = family('extensions', kinds, {
  serviceAccountList: get('/ext/v1/service-accounts', {
    summary: 'List the service accounts of a project, or those of the silo itself',
    query: projectPaging,
    sorts: nameOrIdSorts,
    returns: pageOf('ServiceAccount', ServiceAccount),
  }),
  serviceAccountCreate: post('/ext/v1/service-accounts', {
    changes: ['service-account', 'silo-user', 'policy'],
    summary: 'Create a service account in a project or in the silo',
    query: InProject,
    body: ServiceAccountCreate,
    returns: ServiceAccount,
  }),
  serviceAccountView: get('/ext/v1/service-accounts/{service_account}', {
    summary: 'Fetch a service account',
    ...one,
    returns: ServiceAccount,
  }),
  serviceAccountUpdate: put('/ext/v1/service-accounts/{service_account}', {
    changes: ['service-account', 'silo-user'],
    summary: 'Rename a service account, or change its description',
    ...one,
    body: named('ServiceAccountUpdate', z.object(IdentityUpdate)),
    returns: ServiceAccount,
  }),
  serviceAccountDelete: del('/ext/v1/service-accounts/{service_account}', {
    summary: 'Delete a service account with its access tokens',
    ...one,
  }),
  serviceAccountTokenList: get('/ext/v1/service-accounts/{service_account}/access-tokens', {
    summary: 'List the access tokens of a service account, newest first',
    ...one,
    returns: TokenDetailsList,
  }),
  serviceAccountTokenCreate: post('/ext/v1/service-accounts/{service_account}/access-tokens', {
    changes: ['device-access-token'],
    summary: 'Create an access token of a service account',
    ...one,
    body: TokenCreate,
    returns: TokenCreated,
  }),
  serviceAccountTokenRotate: post(
    '/ext/v1/service-accounts/{service_account}/access-tokens/{token_id}/rotate',
    {
      changes: ['device-access-token'],
      summary: 'Replace an access token of a service account by one that lasts as long and may do the same',
      ...ofToken,
      body: TokenRotate,
      returns: TokenCreated,
    },
  ),
  serviceAccountTokenDelete: del('/ext/v1/service-accounts/{service_account}/access-tokens/{token_id}', {
    changes: ['device-access-token'],
    summary: 'Delete an access token of a service account',
    ...ofToken,
  }),
})
