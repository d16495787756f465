import { expect, test } from 'vitest'
import type { Plan } from './plan.ts'
import {
  accessTexts,
  changesText,
  commitLabel,
  effectTexts,
  packetTexts,
  quotaTexts,
  signOf,
  untouchedText,
} from './plan-words.ts'

const GiB = 2 ** 30
const nothing: Plan = {
  changes: [],
  changeCount: 0,
  quota: { cpus: 0, memory: 0, storage: 0 },
  used: { cpus: 4, memory: 8 * GiB, storage: 0 },
  restarts: [],
  people: [],
  access: { users: [], count: 0, examined: 0 },
  packets: { tried: 0, changed: [] },
  deletion: null,
  hash: 'c41e90b7',
}
const change = (action: Plan['changes'][number]['action'], kind: string, name: string | null) => ({
  kind,
  id: `${kind} ${name}`,
  name,
  action,
  other: null,
  differences: [],
})

test('changes are counted by what happens, and by kind', () => {
  const plan = {
    ...nothing,
    changes: [
      change('deleted', 'vpc-router', 'edge'),
      change('deleted', 'router-route', 'a'),
      change('deleted', 'router-route', 'b'),
      change('edited', 'vpc-subnet', 'default'),
    ],
    changeCount: 4,
  }
  expect(changesText(plan)).toBe('3 deleted and 1 edited.')
  expect(effectTexts(plan)).toEqual(['Deleted router edge', 'Deleted 2 routes', 'Edited subnet default'])
  expect(commitLabel(plan)).toBe('Commit 4 changes')
  expect(changesText({ ...plan, changeCount: 900 })).toBe('900 changes; the first 4 are shown.')
  expect(changesText(nothing)).toBe('Nothing changes.')
  expect([signOf('created').sign, signOf('deleted').sign, signOf('edited').sign]).toEqual(['+', '−', '~'])
})

test('packets are told from whom to whom, and that none changes', () => {
  const db = { id: 'x', name: 'db' }
  const packets = {
    tried: 10,
    changed: [
      { from: null, to: db, packet: 'TCP 22', was: true, is: false },
      { from: db, to: null, packet: 'ICMP echo', was: false, is: true },
    ],
  }
  expect(packetTexts({ ...nothing, packets })).toEqual([
    'TCP 22 from the internet to db no longer passes',
    'ICMP echo from db to the internet passes then',
  ])
  expect(packetTexts({ ...nothing, packets: { tried: 10, changed: [] } })).toEqual([
    'Each of 10 that were tried arrives, or does not, as before',
  ])
  expect(packetTexts(nothing)).toEqual([])
})

test('the silo uses so much before and after, and who has access then', () => {
  expect(quotaTexts({ ...nothing, quota: { cpus: 2, memory: -GiB, storage: 0 } })).toEqual([
    'CPU: 4 vCPU → 6 vCPU',
    'Memory: 8 GiB → 7 GiB',
  ])
  const users = [{ id: 'x', name: 'omar', before: 'viewer', after: null } as const]
  expect(accessTexts({ ...nothing, access: { users, count: 3, examined: 9 } })).toEqual([
    'omar: viewer → no access',
    'and 2 more',
  ])
  expect(untouchedText(nothing)).toBe('what the silo uses, running instances and roles')
})
