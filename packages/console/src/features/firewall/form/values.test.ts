import { describe, expect, test } from 'vitest'
import { fakeRule } from '../firewall.fixtures.ts'
import { isSameRule } from '../rule.ts'
import { fieldText, hostText, protocolName, protocolText } from '../words.ts'
import { copyOf, draftProblems, newRule, ruleFrom, valuesOf } from './rule-values.ts'
import { hostOf, hostProblem, isSameProtocol, protocolFrom } from './subform-values.ts'

const full = fakeRule('full', {
  description: 'all of it',
  status: 'disabled',
  action: 'deny',
  direction: 'outbound',
  priority: 7,
  targets: [{ type: 'ip_net', value: '10.0.0.0/8' }],
  filters: {
    hosts: [{ type: 'instance', value: 'db' }],
    ports: ['22', '80-90'],
    protocols: [{ type: 'tcp' }, { type: 'icmp', value: { icmpType: 0, code: '0' } }],
  },
})

describe('form values', () => {
  test('hold a complete rule and convert back', () => {
    expect(isSameRule(ruleFrom(valuesOf(full)), full)).toBe(true)
    const { targets, filters, priority } = ruleFrom(newRule('default'))
    // Every kind of filter is sent, even without values.
    expect({ targets, filters, priority }).toEqual({
      targets: [{ type: 'vpc', value: 'default' }],
      filters: { hosts: [], ports: [], protocols: [] },
      priority: 32_768,
    })
  })

  test('get another name when copied, within the length limit', () => {
    expect(ruleFrom(copyOf(full))).toEqual({ ...ruleFrom(valuesOf(full)), name: 'full-copy' })
    expect(copyOf({ ...full, name: 'x'.repeat(63) }).name).toBe(`${'x'.repeat(58)}-copy`)
  })

  test('report text that was typed but not added', () => {
    expect(draftProblems(newRule('default'))).toEqual({})
    expect(draftProblems({ ...newRule('default'), portDraft: '22', hostDraft: 'db' })).toEqual({
      portDraft: 'This is not added yet. Select “Add port filter” or “Clear” first.',
      hostDraft: 'This is not added yet. Select “Add host filter” or “Clear” first.',
    })
  })
})

test.each([
  ['vpc', 'default', undefined],
  ['vpc', 'Default', 'Can only contain lower-case letters, numbers, and dashes'],
  ['instance', '1', 'Must start with a lower-case letter'],
  ['subnet', 'a'.repeat(64), 'Must be 63 characters or fewer'],
  ['ip', '10.0.0.1', undefined],
  ['ip', '10.0. 0.1', 'Not a valid IP address'],
  ['ip', '10.0.0.01', 'Not a valid IP address'],
  ['ip_net', '10.0.0.1', 'Must contain an IP address and a width, separated by a /'],
  ['ip_net', '10.0.0.0/x', 'Width must be an integer'],
  ['ip_net', '10.0.0.0/33', 'Max width for IPv4 is 32'],
  ['ip_net', 'fd00::/129', 'Max width for IPv6 is 128'],
] as const)('a target of type %s that reads %j: %s', (type, value, problem) =>
  expect(hostProblem(type, value, 'Target name')).toBe(problem),
)

test('addresses are stored in canonical form', () => {
  expect(hostOf('ip', 'FD00:0::1')).toEqual({ type: 'ip', value: 'fd00::1' })
  expect(hostOf('ip_net', 'FD00:0::/64')).toEqual({ type: 'ip_net', value: 'fd00::/64' })
  expect(hostOf('instance', 'db')).toEqual({ type: 'instance', value: 'db' })
  expect(hostOf('ip', '::ffff:c000:201')).toEqual({ type: 'ip', value: '::ffff:192.0.2.1' })
})

test.each([
  ['ip', ' 10.0.0.4 ', '10.0.0.4'],
  ['ip_net', '\t10.0.0.0/8\n', '10.0.0.0/8'],
  ['instance', ' db\u00A0', 'db'],
] as const)('blanks around a pasted host of type %s are dropped', (type, pasted, value) => {
  expect(hostProblem(type, pasted, 'Host name')).toBe(undefined)
  expect(hostOf(type, pasted)).toEqual({ type, value })
})

test.each([
  [['tcp', '', ''], { type: 'tcp' }, 'TCP', 'TCP'],
  [['icmp', '', ''], { type: 'icmp', value: null }, 'ICMP', 'ICMP (All types)'],
  [
    ['icmp', '3', '0'],
    { type: 'icmp', value: { icmpType: 3, code: '0' } },
    'ICMP type 3 | code 0',
    'ICMP 3 - Destination Unreachable | Code 0',
  ],
  [['icmp', ' 0 ', ''], { type: 'icmp', value: { icmpType: 0 } }, 'ICMP type 0', 'ICMP 0 - Echo Reply'],
  [
    ['icmp', '99', '1–3'],
    { type: 'icmp', value: { icmpType: 99, code: '1-3' } },
    'ICMP type 99 | code 1-3',
    'ICMP Type 99 | Code 1-3',
  ],
] as const)('the selection %j gives the protocol %j', ([type, icmpType, icmpCode], protocol, short, long) => {
  const made = protocolFrom(type, icmpType, icmpCode)
  expect(made).toEqual(protocol)
  expect([protocolText(made), protocolName(made)]).toEqual([short, long])
})

test('any ICMP, an ICMP type, and a type with codes are distinct', () => {
  const [all, type, code] = [
    protocolFrom('icmp', '', ''),
    protocolFrom('icmp', '3', ''),
    protocolFrom('icmp', '3', '1'),
  ]
  expect([isSameProtocol(all, type), isSameProtocol(type, code), isSameProtocol(code, code)]).toEqual([
    false,
    false,
    true,
  ])
})

test('describes a rule field by field', () => {
  expect(hostText({ type: 'ip_net', value: '10.0.0.0/8' })).toBe('IP subnet 10.0.0.0/8')
  expect(
    (
      ['status', 'name', 'action', 'direction', 'priority', 'targets', 'ports', 'protocols', 'hosts'] as const
    ).map((field) => fieldText(full, field)),
  ).toEqual([
    'Disabled',
    'full',
    'Deny',
    'Outbound',
    '7',
    'IP subnet 10.0.0.0/8',
    '22, 80-90',
    'TCP, ICMP 0 - Echo Reply | Code 0',
    'Instance db',
  ])
})
