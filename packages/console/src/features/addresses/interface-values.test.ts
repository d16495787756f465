import { expect, test } from 'vitest'
import { canonical, transitIpProblem } from './interface-values.ts'

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
