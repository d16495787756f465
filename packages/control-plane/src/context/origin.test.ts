import { expect, test } from 'vitest'
import { ownOrigin, refuseElsewhere } from './origin.ts'

const request = (host?: string) =>
  new Request('http://served.example:8080/v1/ping', { headers: host === undefined ? {} : { host } })
const none = { origins: [], secure: false, dnsZone: 'cloud.example' }

test.each([
  [undefined, 'http://served.example:8080'],
  ['console.example', 'http://console.example'],
  ['Console.Example:80', 'http://console.example'],
  ['[::1]:9000', 'http://[::1]:9000'],
  // No browser sends these.
  ['', 'http://served.example:8080'],
  ['a b', 'http://served.example:8080'],
  ['evil.example/path', 'http://served.example:8080'],
  ['user@evil.example', 'http://served.example:8080'],
  ['host:port', 'http://served.example:8080'],
])('without configured origins, Host %j yields %s', (host, origin) => {
  expect(ownOrigin(none, request(host))).toBe(origin)
})

test('with configured origins, only those are used', () => {
  const configured = { ...none, origins: ['https://a.example', 'https://b.example:8443'], secure: true }
  expect(ownOrigin(configured, request('b.example:8443'))).toBe('https://b.example:8443')
  expect(ownOrigin(configured, request('evil.example'))).toBe('https://a.example')
  expect(ownOrigin(configured, request('a b'))).toBe('https://a.example')
})

test.each([
  ['acme.sys.cloud.example:8443', 'https://acme.sys.cloud.example:8443'],
  ['sys.cloud.example', 'https://a.example'],
  ['a.b.sys.cloud.example', 'https://a.example'],
  ['acme.sys.cloud.example.evil.example', 'https://a.example'],
])('and those of silos: %s', (host, origin) => {
  expect(ownOrigin({ ...none, origins: ['https://a.example'], secure: true }, request(host))).toBe(origin)
})

test('behind a proxy that rewrites Host, the browser itself says which origin it uses', () => {
  const configured = { ...none, origins: ['https://a.example', 'https://b.example:8443'], secure: true }
  const rewritten = (origin: string) =>
    new Request('http://backend:8080/', { headers: { host: 'backend:8080', origin } })
  expect(ownOrigin(configured, rewritten('https://b.example:8443'))).toBe('https://b.example:8443')
  expect(ownOrigin(configured, rewritten('https://evil.example'))).toBe('https://a.example')
})

const configured = { ...none, origins: ['https://a.example', 'https://b.example'], secure: true }
function isHeard(request: Request): boolean {
  try {
    refuseElsewhere(configured, request)
    return true
  } catch {
    return false
  }
}
test.each<[what: string, host: string, origin: string, isTaken: boolean]>([
  ['a configured origin, although a proxy rewrote Host', '127.0.0.1:8080', 'https://b.example', true],
  ['the loopback address that the request names', '127.0.0.1:8080', 'http://127.0.0.1:8080', true],
  ['the loopback name that the request names', 'localhost:8080', 'http://localhost:8080', true],
  ['another loopback port', '127.0.0.1:8080', 'http://127.0.0.1:4000', false],
  ['a configured origin without encryption', 'b.example', 'http://b.example', false],
  ['the address that the request names, without encryption', '10.0.0.5', 'http://10.0.0.5', false],
  ['another site', '127.0.0.1:8080', 'https://evil.example', false],
])('with configured origins, a server accepts %s', (_, host, origin, isTaken) => {
  expect(isHeard(new Request(`http://${host}/`, { method: 'POST', headers: { host, origin } }))).toBe(isTaken)
})
