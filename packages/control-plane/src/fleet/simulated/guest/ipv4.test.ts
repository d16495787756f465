import { expect, test } from 'vitest'
import { linkLocal, networkOf } from './ipv4.ts'

test.each([
  ['172.30.0.5', 22, '172.30.0.0', '172.30.3.255', '172.30.0.1'],
  ['10.1.2.200', 25, '10.1.2.128', '10.1.2.255', '10.1.2.129'],
  ['192.168.255.9', 8, '192.0.0.0', '192.255.255.255', '192.0.0.1'],
  ['10.0.0.6', 30, '10.0.0.4', '10.0.0.7', '10.0.0.5'],
])('%s/%d', (ip, prefix, network, broadcast, gateway) => {
  expect(networkOf(ip, prefix)).toEqual({ network, broadcast, gateway })
})

test('an IPv6 address has no IPv4 network', () => expect(networkOf('fd00::1', 64)).toBeUndefined())

test.each([
  ['a8:40:25:f0:1c:02', 'fe80::aa40:25ff:fef0:1c02'],
  ['00:00:00:00:00:01', 'fe80::200:ff:fe00:1'],
  ['A8:40:25:F0:1C:02', 'fe80::aa40:25ff:fef0:1c02'],
  ['not a mac', undefined],
])('%s gives %s', (mac, expected) => expect(linkLocal(mac)).toBe(expected))
