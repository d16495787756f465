import { expect, test } from 'vitest'
import { urlOf } from './IpLink.tsx'

test.each([
  ['192.0.2.1', 'https://192.0.2.1'],
  ['2001:db8::1', 'https://[2001:db8::1]'],
])('%s is at %s', (ip, url) => expect(urlOf(ip)).toBe(url))
