import { expect, test } from 'vitest'
import { ownPath } from './redirect.rules.ts'

test.each([
  ['/', '/'],
  ['/projects/web?tab=disks#top', '/projects/web?tab=disks#top'],
  ['/projects/../images', '/images'],
  ['/a%2F%2Fb', '/a%2F%2Fb'],
  ['/é?q=ü', '/%C3%A9?q=%C3%BC'],
  ['/x?to=https://evil.example', '/x?to=https://evil.example'],
])('%s is on this origin', (wanted, path) => expect(ownPath(wanted)).toBe(path))

test.each([
  '',
  'projects',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '/a\\b',
  '/\t/evil.example',
  '/a\r\nset-cookie: b',
  '/\u0000',
  ' /projects',
  '/..//evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'https://evil.example/projects',
  'http:projects',
  'javascript:alert(1)',
])('%j is not', (wanted) => expect(ownPath(wanted)).toBe(undefined))

test('an accepted path is accepted again, and is visible ASCII only', () => {
  for (const wanted of ['/é', '/a b', '/?q=a b&c=%zz', '/#é'])
    expect([ownPath(wanted), /^[\x21-\x7e]+$/.test(ownPath(wanted) ?? '')]).toEqual([
      ownPath(ownPath(wanted) ?? ''),
      true,
    ])
})
