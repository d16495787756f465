import { expect, test } from 'vitest'
import type { SledUse } from '../queries.ts'
import { groupsOf, racksOf, sledsWith } from './lit.ts'

const running = (id: string, ...groups: string[]): SledUse['instances'][number] => ({
  id,
  name: id,
  projectName: 'project',
  siloName: 'silo',
  state: 'running',
  ncpus: 1,
  memory: 1,
  antiAffinityGroups: groups.map((name) => ({ id: name, name })),
})

const use = (id: string, rackId: string, cubby: number, ...instances: SledUse['instances']): SledUse => ({
  sled: {
    id,
    timeCreated: new Date(0),
    timeModified: new Date(0),
    baseboard: { part: 'part', serial: id, revision: 1 },
    rackId,
    policy: { kind: 'in_service', provisionPolicy: 'provisionable' },
    state: 'active',
    usableHardwareThreads: 1,
    usablePhysicalRam: 1,
    slot: cubby,
  },
  cubby,
  threads: { used: 0, total: 1 },
  memory: { used: 0, total: 1 },
  condition: 'active',
  lostSince: null,
  engine: null,
  cpuFamily: null,
  drainId: null,
  instances,
})

const [one, two, other] = [running('one', 'apart'), running('two', 'apart', 'more'), running('other')]
const uses = [use('a', 'rack', 0, one), use('b', 'rack', 1, two, other), use('c', 'rack', 2, other)]

test('an instance highlights its sled and those of the other members of its groups', () => {
  expect([...sledsWith(uses, { instance: 'one' })]).toEqual(['a', 'b'])
})

test('an instance without a group highlights its own sleds, two of them while it migrates', () => {
  expect([...sledsWith(uses, { instance: 'other' })]).toEqual(['b', 'c'])
})

test('a group highlights the sleds of its members', () => {
  expect([...sledsWith(uses, { group: 'apart' })]).toEqual(['a', 'b'])
  expect([...sledsWith(uses, { group: 'more' })]).toEqual(['b'])
})

test('each group is listed once, with its members and their sleds', () => {
  const place = { projectName: 'project', siloName: 'silo' }
  expect(groupsOf(uses)).toEqual([
    { id: 'apart', name: 'apart', ...place, serials: ['a', 'b'], members: 2 },
    { id: 'more', name: 'more', ...place, serials: ['b'], members: 1 },
  ])
})

test('no instance highlights no sled', () => expect(sledsWith(uses, undefined).size).toBe(0))

test('racks list their sleds from the highest slot down', () => {
  const racks = racksOf([...uses, use('d', 'second', 0)])
  expect(racks.map(({ id, sleds }) => [id, sleds.map(({ cubby }) => cubby)])).toEqual([
    ['rack', [2, 1, 0]],
    ['second', [0]],
  ])
})
