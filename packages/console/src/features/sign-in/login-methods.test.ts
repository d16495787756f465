import { expect, test } from 'vitest'
import { firstSilo, localOnly, providersOf, samlPath } from './login-methods.ts'

const listed = (...names: string[]) => names.map((name) => ({ name }))

test.each([
  ['the requested silo', 'eng', 'demo', listed('demo'), 'eng'],
  ['the last successful silo', undefined, 'hidden', listed('demo'), 'hidden'],
  ['the only silo', undefined, undefined, listed('demo'), 'demo'],
  ['no silo out of several', undefined, undefined, listed('demo', 'eng'), undefined],
  ['no silo without a list', undefined, undefined, [], undefined],
  ['no silo if another one is requested', '', 'demo', listed('demo'), undefined],
  ['no silo with an invalid name', 'No name', 'demo', listed('demo'), undefined],
])('sign-in begins with %s', (_which, asked, last, silos, silo) =>
  expect(firstSilo(asked, last, silos)).toBe(silo),
)

test('offers the last used provider only for a silo that lists none', () => {
  const named = { local: false, passkey: false, saml: [{ name: 'corp', description: '' }] }
  expect(providersOf(named, 'old')).toEqual(['corp'])
  expect(providersOf(localOnly, 'old')).toEqual(['old'])
  expect(providersOf(localOnly, undefined)).toEqual([])
})

test.each([
  [undefined, '/login/main/saml/corp/redirect'],
  ['/projects/web', '/login/main/saml/corp/redirect?redirect_uri=/projects/web'],
  ['/projects?page=abc', '/login/main/saml/corp/redirect?redirect_uri=/projects?page=abc'],
  ['/projects?a=b&c=d%26#e', '/login/main/saml/corp/redirect?redirect_uri=/projects?a=b%26c=d%2526%23e'],
])('returning to %s uses %s', (returnTo, path) => {
  expect(samlPath('main', 'corp', returnTo)).toBe(path)
  expect(new URL(path, 'http://gantry.invalid').searchParams.get('redirect_uri')).toBe(returnTo ?? null)
})
