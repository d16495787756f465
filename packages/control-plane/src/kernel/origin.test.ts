import { expect, test } from 'vitest'
import { ownOrigin } from './origin.ts'

const request = (host?: string) =>
  new Request('http://served.example:8080/v1/ping', { headers: host === undefined ? {} : { host } })
const none = { origins: [], secure: false, dnsZone: 'cloud.example' }

test.each([
  [undefined, 'http://served.example:8080'],
  ['console.example', 'http://console.example'],
  ['Console.Example:80', 'http://console.example'],
  ['[::1]:9000', 'http://[::1]:9000'],
  // Nothing that a browser sends.
  ['', 'http://served.example:8080'],
  ['a b', 'http://served.example:8080'],
  ['evil.example/path', 'http://served.example:8080'],
  ['user@evil.example', 'http://served.example:8080'],
  ['host:port', 'http://served.example:8080'],
])('a server that was told no origin takes Host %j for %s', (host, origin) => {
  expect(ownOrigin(none, request(host))).toBe(origin)
})

test('a server that was told its origins names only those', () => {
  const told = { ...none, origins: ['https://a.example', 'https://b.example:8443'], secure: true }
  expect(ownOrigin(told, request('b.example:8443'))).toBe('https://b.example:8443')
  expect(ownOrigin(told, request('evil.example'))).toBe('https://a.example')
  expect(ownOrigin(told, request('a b'))).toBe('https://a.example')
})

test.each([
  ['acme.sys.cloud.example:8443', 'https://acme.sys.cloud.example:8443'],
  ['sys.cloud.example', 'https://a.example'],
  ['a.b.sys.cloud.example', 'https://a.example'],
  ['acme.sys.cloud.example.evil.example', 'https://a.example'],
])('and those of silos: %s', (host, origin) => {
  expect(ownOrigin({ ...none, origins: ['https://a.example'], secure: true }, request(host))).toBe(origin)
})
