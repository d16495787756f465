import { expect, test } from 'vitest'
import {
  isSamePacket,
  noPacket,
  packetProblems,
  packetSearch,
  packetValues,
  questionOf,
} from './packet-values.ts'

const good = { ...noPacket, to: 'web', port: ' 443 ' }

test.each([
  [noPacket, { to: 'Instance is required', port: 'Port must be a number between 1 and 65535' }],
  [good, {}],
  [{ ...good, port: '0' }, { port: 'Port must be a number between 1 and 65535' }],
  [{ ...good, port: '65536' }, { port: 'Port must be a number between 1 and 65535' }],
  [{ ...good, fromType: 'ip' as const, from: '10.0.0' }, { from: 'Not a valid IP address' }],
  [{ ...good, protocol: 'icmp' as const, port: '' }, {}],
  [
    { ...good, protocol: 'icmp' as const, icmpType: '256', icmpCode: 'x' },
    {
      icmpType: 'ICMP type must be a number between 0 and 255',
      icmpCode: 'ICMP code must be a number between 0 and 255',
    },
  ],
])('%j has the problems %j', (values, problems) => expect(packetProblems(values)).toEqual(problems))

test('a query survives the URL round trip', () => {
  expect(packetSearch(good)).toEqual({ from: 'internet', to: 'instance:web', packet: 'tcp:443' })
  for (const values of [
    { ...good, port: '443' },
    { ...good, fromType: 'ip' as const, from: 'fd00::1', port: '1' },
    { ...good, protocol: 'icmp' as const, port: '', icmpType: '3', icmpCode: '1' },
  ])
    expect(packetValues(packetSearch(values))).toEqual(values)
})

test.each([
  [{}, true],
  [{ port: '443' }, true],
  [{ icmpType: '3' }, true],
  [{ port: '' }, false],
  [{ to: 'db' }, false],
  [{ fromType: 'ip', from: '10.0.0.1' }, false],
  [{ protocol: 'udp' }, false],
] as const)('with %j, is the same packet: %s', (change, isSame) =>
  expect(isSamePacket({ ...good, ...change }, good)).toBe(isSame),
)

test.each([
  [{}],
  [{ from: 'internet', to: 'instance:web' }],
  [{ from: 'moon', to: 'instance:web', packet: 'tcp:443' }],
  [{ from: 'internet', to: 'instance:', packet: 'tcp:443' }],
  [{ from: 'internet', to: 'instance:web', packet: 'tcp:99999' }],
])('%j is not a query', (search) => expect(packetValues(search)).toBeUndefined())

test('builds the body that the API takes', () => {
  expect(questionOf(good)).toEqual({
    from: { type: 'internet' },
    to: { type: 'instance', value: 'web' },
    packet: { type: 'tcp', port: 443 },
  })
  expect(questionOf({ ...good, protocol: 'icmp' }).packet).toEqual({ type: 'icmp', icmpType: 8, icmpCode: 0 })
})
