import { ops } from '@gantry/api/registry'
import { expect, test } from 'vitest'
import { refusalPage } from './refusal-page.ts'
import { Router } from './router.ts'

const router = new Router(ops)
const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'

test.each([
  ['GET', '/login/main/saml/corp/redirect', browser, '/login/main/saml/corp?refused=404'],
  ['POST', '/login/main/saml/corp', browser, '/login/main/saml/corp?refused=404'],
  ['POST', '/login/a%2Fb/saml/c%3Fd', browser, '/login/a%2Fb/saml/c%3Fd?refused=404'],
  // Programs and the console's own requests expect JSON.
  ['POST', '/login/main/saml/corp', 'application/json', undefined],
  ['POST', '/login/main/saml/corp', '*/*', undefined],
  ['GET', '/v1/me', browser, undefined],
])('%s %s for %s is refused on %s', (method, path, accept, page) => {
  const request = new Request(`http://localhost${path}`, { method, headers: { accept } })
  expect(refusalPage(router.match(method, path), request, 404)).toBe(page)
})
