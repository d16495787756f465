import type { identityProviderOps } from '@gantry/api/people/identity-provider'
import { fresh, id, named, plain, silo } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, inNamedSilo, withinNamedSilo } from '@gantry/control-plane/testing/operation-case'

const localUsers = '/v1/system/identity-providers/local/users'
const password = { mode: 'password', value: 'correct horse' }

export const identityProviderCases: CasesOf<typeof identityProviderOps> = {
  siloIdentityProviderList: {
    sent: { query: silo },
    rule: withinNamedSilo('list_children', 'identityProviderList'),
    allowed: () => ['/v1/system/identity-providers?silo=demo'],
  },
  // The silo's type is checked before the caller; a silo that takes providers is tested separately.
  samlIdentityProviderCreate: {
    sent: {
      query: silo,
      body: {
        ...named,
        idp_metadata_source: { type: 'base64_encoded_xml', data: '' },
        idp_entity_id: 'https://idp.example',
        sp_client_id: 'gantry',
        acs_url: 'https://gantry.example/acs',
        slo_url: 'https://gantry.example/slo',
        technical_contact_email: 'nobody@example.com',
      },
    },
    rule: inNamedSilo('read'),
    allowed: () => [
      '/v1/system/identity-providers/saml?silo=demo',
      {
        ...plain(),
        idp_metadata_source: { type: 'base64_encoded_xml', data: '' },
        idp_entity_id: '',
        sp_client_id: '',
        acs_url: '',
        slo_url: '',
        technical_contact_email: '',
      },
    ],
  },
  samlIdentityProviderView: {
    sent: { path: { provider: 'nobody' }, query: silo },
    rule: { needs: 'read', of: 'identityProvider', hidden: true, in: 'named silo' },
    allowed: async ({ freshProvider }) => [`/v1/system/identity-providers/saml/${await freshProvider()}`],
    addressed: [
      'provider',
      'saml-identity-provider',
      ['silo'],
      'when providing provider as an ID, silo should not be specified',
      'provider should either be a UUID or silo should be specified',
    ],
  },
  localIdpUserCreate: {
    sent: {
      query: silo,
      body: { external_id: 'new-one', password: { mode: 'login_disallowed' } },
    },
    rule: withinNamedSilo('create_child', 'siloUser'),
    allowed: () => [`${localUsers}?silo=demo`, { external_id: fresh(), password }],
  },
  localIdpUserDelete: {
    sent: { path: { user_id: id }, query: silo },
    rule: withinNamedSilo('modify', 'siloUser'),
    allowed: async ({ freshUser }) => [`${localUsers}/${await freshUser()}?silo=demo`],
  },
  localIdpUserSetPassword: {
    sent: {
      path: { user_id: id },
      query: silo,
      body: { mode: 'password', value: 'correct horse' },
    },
    rule: withinNamedSilo('modify', 'siloUser'),
    allowed: async ({ freshUser }) => [`${localUsers}/${await freshUser()}/set-password?silo=demo`, password],
  },
}
