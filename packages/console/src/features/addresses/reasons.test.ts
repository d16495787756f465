import { expect, test } from 'vitest'
import type { IpPool } from '#/features/ip-pools/queries.ts'
import type { ExternalIp, FloatingIp, NetworkInterface } from './queries.ts'
import {
  freeFloatingIps,
  missingVersions,
  whyNoFloatingIp,
  whyNoMoreInterfaces,
  whyNoMoreIps,
  whyNotDeleteInterface,
  whyNotDetach,
  whyNotPrimary,
} from './reasons.ts'

const primary = { primary: true }
const other = { primary: false }
const mustStop = /^The instance must be stopped/

test('an interface can become primary once, and only on a stopped instance', () => {
  expect(whyNotPrimary(primary, 'stopped')).toMatch(/already the primary/)
  expect(whyNotPrimary(primary, 'running')).toMatch(/already the primary/)
  expect(whyNotPrimary(other, 'running')).toMatch(mustStop)
  expect(whyNotPrimary(other, 'failed')).toMatch(mustStop)
  expect(whyNotPrimary(other, 'stopped')).toBeUndefined()
})

test('the primary interface is removed last, and only from a stopped instance', () => {
  expect(whyNotDeleteInterface(primary, [primary, other], 'stopped')).toMatch(/Make another one primary/)
  expect(whyNotDeleteInterface(primary, [primary], 'stopped')).toBeUndefined()
  expect(whyNotDeleteInterface(other, [primary, other], 'stopped')).toBeUndefined()
  expect(whyNotDeleteInterface(primary, [primary, other], 'running')).toMatch(mustStop)
})

const floatings = (count: number): ExternalIp[] =>
  Array.from({ length: count }, () => ({ kind: 'floating' }) as ExternalIp)
const snat = { kind: 'snat' } as ExternalIp

test('attaching addresses has a limit, which ignores SNAT, and needs a suitable state', () => {
  expect(whyNoMoreIps('running', [...floatings(31), snat])).toBeUndefined()
  expect(whyNoMoreIps('running', floatings(32))).toBe('An instance has at most 32 external IPs')
  expect(whyNoMoreIps('starting', [])).toBe('Only available when stopped, running, or rebooting')
  expect(whyNotDetach('snat', 'running')).toBe('SNAT addresses cannot be detached')
  expect(whyNotDetach('ephemeral', 'running')).toBeUndefined()
  expect(whyNotDetach('floating', 'failed')).toMatch(/^Only available/)
})

test('only unattached addresses can be attached', () => {
  const [free, taken, six] = [
    { instanceId: null, ip: '192.0.2.1' },
    { instanceId: 'x', ip: '192.0.2.2' },
    { instanceId: null, ip: '2001:db8::1' },
  ] as [FloatingIp, FloatingIp, FloatingIp]
  const interfaceOf = (type: 'v4' | 'v6' | 'dual_stack') =>
    [{ primary: true, ipStack: { type } }] as NetworkInterface[]
  expect(freeFloatingIps([taken, free, six])).toEqual([free, six])
  expect(freeFloatingIps([taken, free, six], interfaceOf('v4'))).toEqual([free])
  expect(freeFloatingIps([taken, free, six], interfaceOf('v6'))).toEqual([six])
  expect(whyNoFloatingIp([free])).toBeUndefined()
  expect(whyNoFloatingIp([])).toBe('No floating IP is available')
  const held = [{ kind: 'ephemeral', ip: '192.0.2.1' }] as ExternalIp[]
  const pools = [{ ipVersion: 'v6', poolType: 'unicast' }] as IpPool[]
  expect(missingVersions(held, interfaceOf('dual_stack'), pools)).toEqual(['v6'])
  expect(missingVersions(held, interfaceOf('dual_stack'), [])).toEqual([])
  expect(missingVersions([], interfaceOf('dual_stack'), pools)).toEqual(['v4', 'v6'])
  expect(missingVersions([], interfaceOf('dual_stack'), null)).toEqual(['v4'])
  expect(missingVersions(held, interfaceOf('v4'), pools)).toEqual([])
  expect(missingVersions([], [], pools)).toEqual([])
  expect(whyNoMoreInterfaces(Array(7).fill(other))).toBeUndefined()
  expect(whyNoMoreInterfaces(Array(8).fill(other))).toBe('An instance has at most 8 network interfaces')
})
