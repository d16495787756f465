import { GiB } from '@gantry/api/base/bytes.rules'
import { expect, test } from 'vitest'
import { overQuota, type Placement, verdictOf } from './verdict.ts'

const room: Placement = { candidates: 8, sleds: 8, reasons: [], refusal: null }
const noRoom: Placement = {
  candidates: 0,
  sleds: 8,
  reasons: [
    {
      reason: 'no_memory',
      message: 'not enough free memory',
      help: 'Choose less.',
      count: 8,
      sleds: null,
    },
  ],
  refusal: { code: 'InsufficientCapacity', message: 'No room', help: 'Wait.' },
}
const cpus = { kind: 'cpus', by: '2 vCPU' } as const
const storage = { kind: 'storage', by: '1 GiB of storage' } as const

test.each([
  [
    'room and quota',
    { placement: room, over: [], start: true },
    'fits',
    'Fits now on 8 of 8 sleds and within the quota.',
  ],
  [
    'room, where the quota is not known',
    { placement: room, over: undefined, start: true },
    'fits',
    'Fits now on 8 of 8 sleds.',
  ],
  [
    'room, not started',
    { placement: room, over: [], start: false },
    'fits',
    'Fits now on 8 of 8 sleds and within the quota.',
  ],
  [
    'room without quota',
    { placement: room, over: [cpus], start: true },
    'refused',
    'The instance would not be created',
  ],
  [
    'room without quota, not started',
    { placement: room, over: [cpus], start: false },
    'unstartable',
    'The instance could not start now',
  ],
  [
    'quota without room',
    { placement: noRoom, over: [], start: true },
    'unstartable',
    'The instance would be created but not start',
  ],
  [
    'no room, not started',
    { placement: noRoom, over: [], start: false },
    'unstartable',
    'The instance could not start now',
  ],
  [
    'too little storage',
    { placement: room, over: [storage], start: true },
    'refused',
    'The instance would not be created',
  ],
  [
    'too little of everything',
    { placement: noRoom, over: [cpus, storage], start: false },
    'refused',
    'The instance would not be created',
  ],
] as const)('%s', (_, asked, kind, title) => {
  expect(verdictOf(asked)).toMatchObject({ kind, title })
})

test('gives no verdict if neither room nor quota is known, nor for a sufficient quota alone', () => {
  expect(verdictOf({ placement: undefined, over: undefined, start: true })).toBeUndefined()
  expect(verdictOf({ placement: undefined, over: [], start: true })).toBeUndefined()
  expect(verdictOf({ placement: undefined, over: [cpus], start: true })).toMatchObject({
    kind: 'refused',
  })
})

test.each([
  [[cpus], true],
  [[storage], false],
  [[cpus, storage], false],
])('whether it could be created without starting, with too little of %j', (over, fitsStopped) => {
  expect(verdictOf({ placement: room, over, start: true })?.fitsStopped).toBe(fitsStopped)
})

test('one verdict holds the reasons of both, in the order in which they would refuse', () => {
  expect(verdictOf({ placement: noRoom, over: [storage, cpus], start: true })?.reasons).toEqual([
    '1 GiB of storage over the quota. Choose smaller disks, or delete unused disks and snapshots.',
    'No room',
    '8 sleds: not enough free memory. Choose less.',
    '2 vCPU over the quota. Choose a smaller size, or stop unused instances.',
    'The operator can raise the quota.',
  ])
})

test.each([
  ['an amount that fills it exactly', { cpus: 4, memory: 8 * GiB, storage: GiB }, []],
  ['amounts of two resources', { cpus: 6, memory: 9.5 * GiB, storage: GiB }, ['2 vCPU', '1.5 GiB of memory']],
  ['less than a gauge can show', { cpus: 0, memory: 0, storage: 4 * GiB }, ['3 GiB of storage']],
])('the excess over the quota by %s', (_, added, expected) => {
  const used = { cpus: 12, memory: 24 * GiB, storage: 1023 * GiB }
  const over = overQuota(used, added, { cpus: 16, memory: 32 * GiB, storage: 1024 * GiB })
  expect(over.map(({ by }) => by)).toEqual(expected)
})

test('an exceeded quota does not count against an instance that uses none of it', () => {
  const used = { cpus: 20, memory: 0, storage: 0 }
  const of = { cpus: 16, memory: GiB, storage: GiB }
  expect(overQuota(used, { cpus: 0, memory: GiB, storage: 0 }, of)).toEqual([])
})
