import { expect, test } from 'vitest'
import { totalOf } from './silo-use.ts'
import { availableIn } from '#/features/utilization/capacities.ts'

const amounts = (cpus: number, memory: number, storage: number) => ({ cpus, memory, storage })
const silo = (siloName: string, provisioned: number, allocated: number) => ({
  siloId: siloName,
  siloName,
  provisioned: amounts(provisioned, provisioned * 2, provisioned * 3),
  allocated: amounts(allocated, allocated * 2, allocated * 3),
})

test('the totals are the sums over all silos', () => {
  const [cpus, memory, storage] = totalOf([silo('one', 3, 10), silo('two', 4, 20)])
  expect(cpus).toMatchObject({ provisioned: 7, quota: 30 })
  expect(memory).toMatchObject({ provisioned: 14, quota: 60 })
  expect(storage).toMatchObject({ provisioned: 21, quota: 90 })
})

test('without silos, all totals are zero', () => {
  expect(totalOf([]).map(({ provisioned, quota }) => [provisioned, quota])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ])
})

test('a quota below the use leaves nothing', () => {
  expect(availableIn({ provisioned: 12, quota: 10 })).toBe(0)
  expect(availableIn({ provisioned: 2.5, quota: 10 })).toBe(7.5)
})
