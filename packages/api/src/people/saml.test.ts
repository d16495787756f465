import { expect, test } from 'vitest'
import { acsUrlProblem } from './saml.rules.ts'

test.each([
  ['https://forge.sys.gantry.example/login/forge/saml/corporate', undefined],
  [' https://gantry.example:8443/acs ', undefined],
  ['http://127.0.0.1:12220/login/forge/saml/corporate', undefined],
  ['https://forge.sys.placeholder/login/forge/saml/corporate', 'its host is a placeholder'],
  ['https://placeholder/', 'its host is a placeholder'],
  ['https://placeholder.example/', undefined],
  ['', 'it must be an address that begins with https://'],
  ['/login/forge/saml/corporate', 'it must be an address that begins with https://'],
  ['javascript:alert(1)', 'it must be an address that begins with https://'],
])('the ACS URL %j: %s', (url, problem) => expect(acsUrlProblem(url)).toBe(problem))
