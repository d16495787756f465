import type { samlCheckOps } from '@gantry/api/people/saml-check'
import { id, silo } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, inNamedSilo } from '@gantry/control-plane/testing/operation-case'

export const samlCheckCases: CasesOf<typeof samlCheckOps> = {
  samlMetadataCheck: {
    sent: {
      query: silo,
      body: { idp_metadata_source: { type: 'base64_encoded_xml', data: '' } },
    },
    rule: inNamedSilo('read'),
    allowed: () => [
      '/ext/v1/saml-metadata-checks?silo=demo',
      { idp_metadata_source: { type: 'base64_encoded_xml', data: '' } },
    ],
  },
  samlSignInTestBegin: {
    sent: { path: { provider: 'nobody' }, query: silo, body: { redirect_uri: '/' } },
    rule: {
      needs: 'modify',
      of: 'identityProvider',
      hidden: true,
      in: 'named silo',
      atStake: true,
    },
    allowed: async ({ freshProvider }) => [
      `/ext/v1/saml-identity-providers/${await freshProvider()}/sign-in-tests`,
      {},
    ],
  },
  samlSignInTestView: {
    sent: { path: { test_id: id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/saml-sign-in-tests/${ids.project}`],
    missing: true,
  },
}
