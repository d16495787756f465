import { expect, test } from 'vitest'
import { fakeRule as rule } from './firewall.fixtures.ts'
import { changedRule, changeParam } from './rule-change.ts'
import type { Host } from './rule.ts'

const office: Host = { type: 'ip_net', value: '198.51.100.0/24' }
const host: Host = { type: 'instance', value: 'db' }
const withHosts = (...hosts: Host[]) => rule('web', { filters: { hosts, ports: ['443'] } })

test('a link adds a host filter and keeps the others', () => {
  const { rule: changed, text } = changedRule(withHosts(office), changeParam(host)) ?? {}
  expect(changed?.filters).toEqual({ hosts: [office, host], ports: ['443'] })
  expect(text).toBe('Instance db is added to the host filters below.')
})

test('a network keeps its length', () => {
  expect(changedRule(withHosts(host), changeParam(office))?.rule.filters.hosts).toEqual([host, office])
})

test('a link enables a rule', () => {
  expect(changedRule(rule('web', { status: 'disabled' }), changeParam(null))?.rule.status).toBe('enabled')
})

test.each([
  ['a rule that has the host', withHosts(host), changeParam(host)],
  ['a rule without host filters, which it would narrow', withHosts(), changeParam(host)],
  ['a rule that is enabled', rule('web'), changeParam(null)],
  ['an unknown change', withHosts(office), 'constructor:x'],
  ['an empty change', withHosts(office), ''],
])('changes nothing for %s', (_, each, change) => {
  expect(changedRule(each, change)).toBeUndefined()
})
