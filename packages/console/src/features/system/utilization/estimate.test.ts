import { expect, test } from 'vitest'
import { estimateRows } from './estimate.ts'

const GiB = 1024 ** 3
const TiB = 1024 ** 4

const capacity = {
  provisioned: { cpus: 40, memory: 80 * GiB, storage: 3 * TiB },
  allocated: { cpus: 100, memory: 200 * GiB, storage: 10 * TiB },
  physical: {
    sleds: 1,
    hardwareThreads: 128,
    vcpus: 128,
    physicalRam: 1024 * GiB,
    reservoir: 800 * GiB,
    threadsReserved: 44,
    memoryReserved: 90 * GiB,
  },
  estimate: {
    sleds: 1,
    hardwareThreads: 128,
    vcpusPerThread: 1,
    physicalRam: 1024 * GiB,
    utilizationFactor: 0.7,
    storagePerSledTb: 32,
    tibPerTb: 0.909,
    cpus: 90,
    memory: 717 * GiB,
    storage: 21 * TiB,
  },
}

test('each row shows every factor of its estimate with all digits', () => {
  expect(estimateRows(capacity).map(({ formula }) => formula)).toEqual([
    '0.7 × 128 threads',
    '0.7 × 1,024 GiB of RAM',
    '0.7 × 32 TB × 0.909 TiB per TB × 1 sled',
  ])
})

test('where vCPUs share threads, the formula says how many', () => {
  const estimate = { ...capacity.estimate, hardwareThreads: 2, vcpusPerThread: 4 }
  expect(estimateRows({ ...capacity, estimate })[0]?.formula).toBe('0.7 × 2 threads × 4 vCPU per thread')
})

test('amounts use the unit of their row', () => {
  const [cpus, memory, storage] = estimateRows(capacity)
  expect(cpus).toMatchObject({ unit: 'vCPU', estimate: 90, quotas: 100, provisioned: 40 })
  expect(memory).toMatchObject({
    unit: 'GiB',
    estimate: 717,
    quotas: 200,
    provisioned: 80,
    physical: { total: 800, reserved: 90 },
  })
  expect(storage).toMatchObject({ unit: 'TiB', estimate: 21, quotas: 10, provisioned: 3, physical: null })
})
