import type { samlProviderOps } from '@gantry/api/people/saml-provider'
import { silo } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, inNamedSilo, type Rule } from '@gantry/control-plane/testing/operation-case'

const sent = { path: { provider: 'nobody' }, query: silo }
const asItsOwner = {
  needs: 'modify',
  of: 'identityProvider',
  hidden: true,
  in: 'named silo',
  atStake: true,
} as const satisfies Rule
const path = '/ext/v1/saml-identity-providers'

export const samlProviderCases: CasesOf<typeof samlProviderOps> = {
  samlProviderUpdate: {
    sent: { ...sent, body: { acs_url: 'https://gantry.example/acs', group_attribute_name: '' } },
    rule: asItsOwner,
    allowed: async ({ freshProvider }) => [`${path}/${await freshProvider()}`, { sp_client_id: 'gantry' }],
  },
  samlProviderDelete: {
    sent,
    rule: asItsOwner,
    allowed: async ({ freshProvider }) => [`${path}/${await freshProvider()}`],
  },
  samlProviderDependentsView: {
    sent,
    rule: asItsOwner,
    allowed: async ({ freshProvider }) => [`${path}/${await freshProvider()}/dependents`],
  },
  samlAcsOriginView: {
    sent: { query: silo },
    rule: inNamedSilo('read'),
    allowed: () => ['/ext/v1/saml-acs-origin?silo=demo'],
  },
}
