import { expect, test } from 'vitest'
import type { FabricPort } from './queries.ts'
import { networksOf, portState } from './states.ts'

const link = (isUp: boolean) => ({ isUp }) as FabricPort['links'][number]
const peer = (state: string) => ({ state }) as FabricPort['peers'][number]
const port = (more: Partial<FabricPort>) =>
  ({ portSettings: { id: 'x', name: 'x' }, links: [], peers: [], ...more }) as unknown as FabricPort

test.each([
  ['not configured', { portSettings: null }],
  ['no links', {}],
  ['link down', { links: [link(true), link(false)] }],
  ['peer down', { links: [link(true)], peers: [peer('established'), peer('active')] }],
  ['up', { links: [link(true)], peers: [peer('established')] }],
])('a port is %s', (word, more) => expect(portState(port(more)).word).toBe(word))

test('single addresses become networks of one', () =>
  expect(networksOf(' 192.0.2.1\n2001:db8::1, 10.0.0.0/8 ')).toEqual([
    '192.0.2.1/32',
    '2001:db8::1/128',
    '10.0.0.0/8',
  ]))
