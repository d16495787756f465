import type { Saml } from '../environment.ts'
import { unreadable } from '../context/refusal.ts'

/** Identity providers that never answer. */
export const silentSaml: Saml = {
  fetchMetadata: async () => ({ bytes: new Uint8Array(), charset: undefined }),
  readMetadata: async () => ({
    entity_id: 'https://idp.test',
    sign_in_url: 'https://idp.test/',
    certificates: [],
    endpoints: [],
    wants_signed_requests: false,
  }),
  checkKeyPair: () => undefined,
  signInUrl: async () => 'https://idp.test/',
  readResponse: async () => {
    throw unreadable('not signed')
  },
}

/** A provider of a silo without metadata. */
export const samlProviderRow = (silo_id: string, name: string) => ({
  id: crypto.randomUUID(),
  time_created: new Date(),
  time_modified: new Date(),
  name,
  description: '',
  silo_id,
  metadata: '',
  idp_entity_id: '',
  sp_client_id: '',
  acs_url: '',
  slo_url: '',
  technical_contact_email: '',
  public_cert: null,
  group_attribute_name: null,
})
