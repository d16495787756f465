import { expect, test } from 'vitest'
import { hostRule } from './own-hosts.ts'

const told = {
  host: '10.0.0.5',
  origins: ['https://gantry.example', 'https://other.example:8443'],
  dnsZone: 'cloud.example',
}
const untold = { ...told, origins: [] }

function statusFor(options: typeof told, host: string, target = `http://${host}/v1/me`): number | undefined {
  const request = new Request(target, { headers: { host } })
  return hostRule(options)(request, '192.168.1.7')?.status
}

test.each([
  'localhost',
  'localhost:8080',
  'LOCALHOST',
  'gantry.localhost:9000',
  '127.0.0.1:8080',
  '127.8.9.1',
  '[::1]:8080',
  // The address that it listens on, and the one of this machine that the connection came to.
  '10.0.0.5:8080',
  '192.168.1.7',
  'acme.sys.cloud.example',
])('%s is ours, whatever the origins', (host) => {
  expect([statusFor(told, host), statusFor(untold, host)]).toEqual([undefined, undefined])
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
])('%s is not', (host) => {
  expect([statusFor(told, host), statusFor(untold, host)]).toEqual([421, 421])
})

test.each([
  ['gantry.example', undefined],
  ['Gantry.Example', undefined],
  ['gantry.example:443', undefined],
  ['other.example:8443', undefined],
  ['other.example', 421],
  ['gantry.example:8443', 421],
])('%s with origins', (host, status) => {
  expect([statusFor(told, host), statusFor(untold, host)]).toEqual([status, 421])
})

test('a target that names another host than the header is not believed either', () => {
  expect(statusFor(untold, 'localhost', 'http://evil.example/')).toBe(421)
  expect(statusFor(untold, 'evil.example', 'http://localhost/')).toBe(421)
})

test('the refusal says what to do', async () => {
  const request = new Request('https://gantry.example/', { headers: { host: 'gantry.example' } })
  expect(await hostRule(untold)(request, '::1')?.text()).toBe(
    'This server does not answer for gantry.example. If that is a name of it, start it with --origin https://gantry.example.\n',
  )
})
