import { expect, test } from 'vitest'
import { kindWord, secondsText, valueText } from './stored-values.ts'

test('kinds read as words', () => {
  expect(kindWord('floating-ip')).toBe('floating IP')
  expect(kindWord('ip-pool')).toBe('IP pool')
  expect(kindWord('disk')).toBe('disk')
})

test('values read as people write them', () => {
  expect(valueText('transit_ips', ['10.0.0.0/8', 'fd00::/8'])).toBe('10.0.0.0/8, fd00::/8')
  expect(valueText('memory', 2 ** 30)).toBe('1 GiB')
  expect(valueText('state', { kind: 'on', since: null })).toBe('Kind: on')
  expect(valueText('targets', [{ type: 'subnet', value: 'app' }])).toBe('Subnet app')
  expect(valueText('hosts', [{ type: 'ip_net', value: '10.0.0.0/8' }])).toBe('IP net 10.0.0.0/8')
  expect(valueText('protocols', [{ type: 'tcp' }, { type: 'icmp', value: null }])).toBe('TCP; ICMP')
  expect(valueText('seconds', 95)).toBe('95 s')
  expect([0, 0.004, 0.35].map(secondsText)).toEqual(['0 s', '< 0.01 s', '0.35 s'])
})
