import { z } from 'zod'
import { KiB } from '../base/bytes.rules.ts'
import { Password, User } from './me.ts'
import { samlMetadataMaxBytes } from './saml.rules.ts'
import { del, family, get, post } from '../op.ts'
import {
  identityCreate,
  maybe,
  Name,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  pageOf,
  text,
  Uuid,
  withIdentity,
} from '../schema.ts'

const ofSilo = z.object({ silo: NameOrId })

export const IdentityProvider = named(
  'IdentityProvider',
  withIdentity({ provider_type: named('IdentityProviderType', z.enum(['saml'])) }),
)
export type IdentityProvider = z.infer<typeof IdentityProvider>

const UserPassword = named(
  'UserPassword',
  z.discriminatedUnion('mode', [
    z.object({ mode: z.literal('password'), value: Password }),
    z.object({ mode: z.literal('login_disallowed') }),
  ]),
)
export type UserPassword = z.infer<typeof UserPassword>
const UserCreate = named('UserCreate', z.object({ external_id: Name, password: UserPassword }))
export type UserCreate = z.infer<typeof UserCreate>

/** Maximum characters in a provider's fields: texts and URLs, a key or certificate, metadata in base64. */
const samlLimits = { text: 2048, key: 16_384, metadata: (3 / 2) * samlMetadataMaxBytes } as const

export const entityIdMaxLength = samlLimits.text

export const MetadataSource = named(
  'IdpMetadataSource',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('url'), url: text(samlLimits.text) }),
    z.object({ type: z.literal('base64_encoded_xml'), data: text(samlLimits.metadata) }),
  ]),
)
export type MetadataSource = z.infer<typeof MetadataSource>

/** The certificate and RSA key that sign requests to the provider, each DER in base64. */
export const SigningKeyPair = named(
  'DerEncodedKeyPair',
  z.object({ public_cert: text(samlLimits.key), private_key: text(samlLimits.key) }),
)
export type SigningKeyPair = z.infer<typeof SigningKeyPair>

/** Maximum bytes of a body with metadata, and of the texts beside it. */
export const samlBodyMax = 512 * KiB

export const saml = {
  idp_entity_id: text(samlLimits.text),
  sp_client_id: text(samlLimits.text),
  acs_url: text(samlLimits.text),
  slo_url: text(samlLimits.text),
  technical_contact_email: text(samlLimits.text),
}

export const SamlIdentityProvider = named(
  'SamlIdentityProvider',
  withIdentity({ ...saml, public_cert: z.string().nullish(), group_attribute_name: z.string().nullish() }),
)
export type SamlIdentityProvider = z.infer<typeof SamlIdentityProvider>

const SamlIdentityProviderCreate = named(
  'SamlIdentityProviderCreate',
  z.object({
    ...identityCreate,
    ...saml,
    idp_metadata_source: MetadataSource,
    signing_keypair: maybe(SigningKeyPair),
    group_attribute_name: maybe(text(samlLimits.text)),
  }),
)
export type SamlIdentityProviderCreate = z.infer<typeof SamlIdentityProviderCreate>

export const identityProviderOps = {
  ...family('system/silos', ['saml-identity-provider'], {
    siloIdentityProviderList: get('/v1/system/identity-providers', {
      summary: 'List identity providers of a silo',
      query: NameOrIdPaging.extend({ silo: maybe(NameOrId) }),
      requiredOnFirstPage: ['silo'],
      sorts: nameOrIdSorts,
      returns: pageOf('IdentityProvider', IdentityProvider),
    }),
    samlIdentityProviderCreate: post('/v1/system/identity-providers/saml', {
      summary: 'Create a SAML identity provider',
      query: ofSilo,
      body: SamlIdentityProviderCreate,
      bodyMax: samlBodyMax,
      returns: SamlIdentityProvider,
    }),
    samlIdentityProviderView: get('/v1/system/identity-providers/saml/{provider}', {
      summary: 'Fetch a SAML identity provider',
      path: z.object({ provider: NameOrId }),
      query: z.object({ silo: maybe(NameOrId) }),
      returns: SamlIdentityProvider,
    }),
  }),
  ...family('system/silos', ['silo-user'], {
    localIdpUserCreate: post('/v1/system/identity-providers/local/users', {
      summary: 'Create a user in a silo with local users',
      query: ofSilo,
      body: UserCreate,
      returns: User,
    }),
    localIdpUserDelete: del('/v1/system/identity-providers/local/users/{user_id}', {
      changes: ['silo-user', 'ssh-key', 'console-session', 'device-access-token', 'second-factor'],
      summary: 'Delete a user of a silo with local users',
      path: z.object({ user_id: Uuid }),
      query: ofSilo,
    }),
    localIdpUserSetPassword: post('/v1/system/identity-providers/local/users/{user_id}/set-password', {
      changes: ['silo-user', 'console-session', 'device-access-token'],
      summary: "Set or remove a user's password",
      path: z.object({ user_id: Uuid }),
      query: ofSilo,
      body: UserPassword,
      status: 204,
    }),
  }),
}
