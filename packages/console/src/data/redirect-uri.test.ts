import { expect, test } from 'vitest'
import { loginPath, safeRedirect } from './redirect-uri.ts'

test.each([
  ['/projects/web/instances?page=abc', '/projects/web/instances?page=abc'],
  ['/projects#there', '/projects#there'],
  ['/a%2Fb?x=//evil.example', '/a%2Fb?x=//evil.example'],
  ['/projects/../images', '/images'],
  ['/logins', '/logins'],
])('%s leads to %s', (wanted, path) => expect(safeRedirect(wanted)).toBe(path))

test.each([
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  ' /projects',
  '/..//evil.example',
  '/.//evil.example',
  'https://evil.example/projects',
  'javascript:alert(1)',
  'data:text/html,hi',
  'projects',
  '',
  '/login',
  '/login?redirect_uri=/images',
  '/login/main/local?redirect_uri=/projects',
  undefined,
  42,
  ['/projects'],
])('%j leads home', (wanted) => expect(safeRedirect(wanted)).toBe('/projects'))

test('the sign-in path carries the encoded return path', () => {
  expect(loginPath('/projects/web?page=a&b=c')).toBe(
    '/login?redirect_uri=%2Fprojects%2Fweb%3Fpage%3Da%26b%3Dc',
  )
  expect(loginPath('/projects')).toBe('/login')
})
