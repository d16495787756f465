import type { loginOps } from '@gantry/api/people/login'
import type { CasesOf } from '@gantry/control-plane/testing/operation-case'

const atProvider = { path: { silo_name: 'demo', provider_name: 'nobody' } }

export const loginCases: CasesOf<typeof loginOps> = {
  loginSaml: {
    sent: atProvider,
    rule: 'anybody',
    allowed: () => ['/login/demo/saml/nobody'],
    anonymously: [400, 'unable to parse URL-encoded body: missing field `SAMLResponse`'],
  },
  loginSamlBegin: {
    sent: atProvider,
    rule: 'anybody',
    allowed: () => ['/login/demo/saml/nobody/redirect'],
    anonymously: [404, 'not found: identity-provider with name "nobody"'],
  },
  loginSiloList: { sent: {}, rule: 'anybody', allowed: () => ['/ext/v1/login/silos'] },
  loginMethodView: {
    sent: { path: { silo_name: 'demo' } },
    rule: 'anybody',
    allowed: () => ['/ext/v1/login/silos/demo'],
  },
}
