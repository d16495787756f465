import { expect, test } from 'vitest'
import type { FabricPort } from './queries.ts'
import { networksOf, peerFamily, portState } from './states.ts'

const link = (state: string) => ({ state, linkName: 'phy0' }) as FabricPort['links'][number]
const peer = (state: string) => ({ state }) as FabricPort['peers'][number]
const port = (more: Partial<FabricPort>) =>
  ({ portSettings: { id: 'x', name: 'x' }, links: [], peers: [], ...more }) as unknown as FabricPort

test.each([
  ['not configured', { portSettings: null }],
  ['no links', {}],
  ['link down', { links: [link('up'), link('down'), link('coming_up')] }],
  ['link coming up', { links: [link('up'), link('coming_up')] }],
  ['peer down', { links: [link('up')], peers: [peer('established'), peer('active')] }],
  ['up', { links: [link('up')], peers: [peer('established')] }],
])('a port is %s', (word, more) => expect(portState(port(more)).word).toBe(word))

test('a peer has failed only if its link is not coming up', () => {
  const idle = { state: 'idle', linkName: 'phy0' } as const
  expect(peerFamily(idle, [link('coming_up')])).toBe('busy')
  expect(peerFamily(idle, [link('down')])).toBe('fail')
})

test('single addresses become networks of one', () =>
  expect(networksOf(' 192.0.2.1\n2001:db8::1, 10.0.0.0/8 ')).toEqual([
    '192.0.2.1/32',
    '2001:db8::1/128',
    '10.0.0.0/8',
  ]))
