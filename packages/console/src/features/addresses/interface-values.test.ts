import { expect, test } from 'vitest'
import {
  addressProblem,
  canonical,
  emptyInterface,
  interfaceBody,
  transitIpProblem,
} from './interface-values.ts'

const any = { ip: { type: 'auto' } }
const given = (value: string) => ({ ip: { type: 'explicit', value } })

test.each([
  ['10.0.0.0/16', [], undefined],
  [' 10.0.0.0/16 ', ['172.30.0.0/22'], undefined],
  ['2001:db8::/32', ['10.0.0.0/8'], undefined],
  ['x', [], 'Must contain an IP address and a width, separated by a /'],
  ['', [], 'Must contain an IP address and a width, separated by a /'],
  ['10.0.0.0/x', [], 'Width must be an integer'],
  ['10.0.0.0/33', [], 'Max width for IPv4 is 32'],
  ['2001:db8::/129', [], 'Max width for IPv6 is 128'],
  ['10.0.0.0/16', ['10.0.0.0/16'], 'Transit IP already in list'],
  ['2001:DB8::/32', ['2001:db8::/32'], 'Transit IP already in list'],
  ['10.0.1.0/24', ['10.0.0.0/16'], 'Transit IP block 10.0.1.0/24 overlaps with 10.0.0.0/16'],
  ['10.0.0.1/16', [], 'Transit IP block 10.0.0.1/16 has a non-zero host identifier'],
])('%j beside %j: %s', (text, list, problem) => expect(transitIpProblem(text, list)).toBe(problem))

test('networks are stored in canonical form', () => {
  expect(canonical(' 2001:0DB8:0::/32 ')).toBe('2001:db8::/32')
})

test.each([
  [{}, undefined],
  [{ ip: ' 10.0.0.9 ' }, { type: 'dual_stack', value: { v4: given('10.0.0.9'), v6: any } }],
  [{ ipv6: 'fd00::9' }, { type: 'dual_stack', value: { v4: any, v6: given('fd00::9') } }],
  [{ ipStack: 'v4' as const }, { type: 'v4', value: any }],
  // A field that is hidden keeps its text, and does not count.
  [
    { ipStack: 'v4' as const, ip: '10.0.0.9', ipv6: 'fd00::9' },
    { type: 'v4', value: given('10.0.0.9') },
  ],
  [
    { ipStack: 'v6' as const, ip: '10.0.0.9' },
    { type: 'v6', value: any },
  ],
])('asks for the addresses %j', (more, config) => {
  expect(interfaceBody({ ...emptyInterface, ...more }).ipConfig).toEqual(config)
})

test.each([
  ['', 4, undefined],
  ['10.0.0.9', 4, undefined],
  ['fd00::9', 4, 'Not an IPv4 address'],
  ['10.0.0.9', 6, 'Not an IPv6 address'],
  ['x', 6, 'Not a valid IP address'],
] as const)('an address %j of IPv%d', (text, version, problem) => {
  expect(addressProblem(text, version)).toBe(problem)
})
