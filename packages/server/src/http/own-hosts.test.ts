import { expect, test } from 'vitest'
import { hostRule } from './own-hosts.ts'

const configured = {
  host: '10.0.0.5',
  origins: ['https://gantry.example', 'https://other.example:8443'],
  dnsZone: 'cloud.example',
}
const unconfigured = { ...configured, origins: [] }

function statusFor(
  options: typeof configured,
  host: string,
  target = `http://${host}/v1/me`,
): number | undefined {
  return hostRule(options)(new URL(target), host, '192.168.1.7')?.status
}

test.each([
  'localhost',
  'localhost:8080',
  'LOCALHOST',
  'gantry.localhost:9000',
  '127.0.0.1:8080',
  '127.8.9.1',
  '[::1]:8080',
  // The address it listens on, and the local address of the connection.
  '10.0.0.5:8080',
  '192.168.1.7',
  'acme.sys.cloud.example',
])('%s is accepted, whatever the origins', (host) => {
  expect([statusFor(configured, host), statusFor(unconfigured, host)]).toEqual([undefined, undefined])
})

test.each([
  'evil.example',
  'localhost.evil.example',
  'notlocalhost',
  '127.0.0.1.evil.example',
  '127.evil.example',
  '10.0.0.6',
  '0.0.0.0',
  'sys.cloud.example',
  'a.b.sys.cloud.example',
  'acme.sys.cloud.example.evil.example',
])('%s is refused', (host) => {
  expect([statusFor(configured, host), statusFor(unconfigured, host)]).toEqual([421, 421])
})

test.each([
  ['gantry.example', undefined],
  ['Gantry.Example', undefined],
  ['gantry.example:443', undefined],
  ['other.example:8443', undefined],
  ['other.example', 421],
  ['gantry.example:8443', 421],
])('%s with origins', (host, status) => {
  expect([statusFor(configured, host), statusFor(unconfigured, host)]).toEqual([status, 421])
})

test('a target that names a different host than the header is refused too', () => {
  expect(statusFor(unconfigured, 'localhost', 'http://evil.example/')).toBe(421)
  expect(statusFor(unconfigured, 'evil.example', 'http://localhost/')).toBe(421)
})

test('the refusal gives advice', async () => {
  const refusal = hostRule(unconfigured)(new URL('https://gantry.example/'), 'gantry.example', '::1')
  expect(await refusal?.text()).toBe(
    'This server does not answer for gantry.example. If that is a name of it, start it with --origin https://gantry.example.\n',
  )
})
