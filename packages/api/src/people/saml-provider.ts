import { z } from 'zod'
import {
  MetadataSource,
  saml,
  samlBodyMax,
  SamlIdentityProvider,
  SigningKeyPair,
} from './identity-provider.ts'
import { del, family, get, put } from '../op.ts'
import { IdentityUpdate, maybe, named, NameOrId } from '../schema.ts'

const path = z.object({ provider: NameOrId })
const query = z.object({ silo: maybe(NameOrId) })

const SamlProviderUpdate = named(
  'SamlIdentityProviderUpdate',
  z.object({
    ...IdentityUpdate,
    idp_entity_id: maybe(saml.idp_entity_id),
    sp_client_id: maybe(saml.sp_client_id),
    acs_url: maybe(saml.acs_url),
    slo_url: maybe(saml.slo_url),
    technical_contact_email: maybe(saml.technical_contact_email),
    /** Empty for none. */
    group_attribute_name: maybe(saml.idp_entity_id),
    idp_metadata_source: maybe(MetadataSource),
    signing_keypair: maybe(SigningKeyPair),
  }),
)
export type SamlProviderUpdate = z.infer<typeof SamlProviderUpdate>

const count = z.number().int()

const SamlProviderDependents = named(
  'SamlIdentityProviderDependents',
  z.object({
    /** Users and groups of the silo, which its providers have in common. */
    users: count,
    groups: count,
    /** Sessions and access tokens of these users, which end with the provider, except the caller's own. */
    sessions: count,
    access_tokens: count,
    /** Other identity providers of the silo, at which its users can still sign in. */
    other_providers: count,
  }),
)
export type SamlProviderDependents = z.infer<typeof SamlProviderDependents>

/** Not offered by the reference, whose providers cannot be changed. */
export const samlProviderOps = {
  ...family('extensions', ['saml-identity-provider'], {
    samlProviderUpdate: put('/ext/v1/saml-identity-providers/{provider}', {
      summary: 'Correct a SAML identity provider; what the body does not name stays',
      path,
      query,
      body: SamlProviderUpdate,
      bodyMax: samlBodyMax,
      returns: SamlIdentityProvider,
    }),
    samlProviderDelete: del('/ext/v1/saml-identity-providers/{provider}', {
      changes: ['saml-identity-provider', 'console-session', 'device-access-token'],
      summary: 'Delete a SAML identity provider, and end the sessions and tokens of its users',
      path,
      query,
    }),
    samlProviderDependentsView: get('/ext/v1/saml-identity-providers/{provider}/dependents', {
      reads: ['saml-identity-provider', 'silo-user', 'silo-group', 'console-session', 'device-access-token'],
      summary: 'Count what depends on a SAML identity provider',
      path,
      query,
      returns: SamlProviderDependents,
    }),
  }),
  // It is of the server's configuration, and no object.
  ...family('extensions', [], {
    samlAcsOriginView: get('/ext/v1/saml-acs-origin', {
      summary: "Fetch the address at which a silo's users reach this server, for ACS URLs",
      query: z.object({ silo: NameOrId }),
      returns: named('SamlAcsOrigin', z.object({ origin: z.string() })),
    }),
  }),
}
