import { formatNumber } from '#/ui/data/format.ts'
import { bytesToGib, bytesToTib } from '#/ui/data/format-amounts.ts'
import type { SystemCapacity } from '../queries.ts'

export interface EstimateRow {
  id: 'cpus' | 'memory' | 'storage'
  label: string
  unit: string
  /** Each factor with its unit: `0.7 × 640 threads`. */
  formula: string
  /** In `unit`, like the amounts below. */
  estimate: number
  provisioned: number
  quotas: number
  /** The total of the sleds in service, and the part reserved by instances; storage is not measured. */
  physical: { total: number; reserved: number } | null
}

/** Factors keep all their digits. */
const exact = (factor: number): string => factor.toLocaleString(undefined, { maximumFractionDigits: 20 })

/** Where vCPUs share threads, a second factor says how many. */
function threadsOf({ hardwareThreads, vcpusPerThread }: SystemCapacity['estimate']): string {
  const threads = `${formatNumber(hardwareThreads)} ${hardwareThreads === 1 ? 'thread' : 'threads'}`
  return vcpusPerThread === 1 ? threads : `${threads} × ${exact(vcpusPerThread)} vCPU per thread`
}

/** The rack's estimated capacity with the factors of the estimate, beside the amounts that silos and instances use. */
export function estimateRows({ estimate, physical, provisioned, allocated }: SystemCapacity): EstimateRow[] {
  const factor = exact(estimate.utilizationFactor)
  const sleds = `${formatNumber(estimate.sleds)} ${estimate.sleds === 1 ? 'sled' : 'sleds'}`
  return [
    {
      id: 'cpus',
      label: 'CPU',
      unit: 'vCPU',
      formula: [factor, threadsOf(estimate)].join(' × '),
      estimate: estimate.cpus,
      provisioned: provisioned.cpus,
      quotas: allocated.cpus,
      physical: { total: physical.vcpus, reserved: physical.threadsReserved },
    },
    {
      id: 'memory',
      label: 'Memory',
      unit: 'GiB',
      formula: `${factor} × ${formatNumber(bytesToGib(estimate.physicalRam))} GiB of RAM`,
      estimate: bytesToGib(estimate.memory),
      provisioned: bytesToGib(provisioned.memory),
      quotas: bytesToGib(allocated.memory),
      physical: { total: bytesToGib(physical.reservoir), reserved: bytesToGib(physical.memoryReserved) },
    },
    {
      id: 'storage',
      label: 'Storage',
      unit: 'TiB',
      formula: [
        factor,
        `${formatNumber(estimate.storagePerSledTb)} TB`,
        `${exact(estimate.tibPerTb)} TiB per TB`,
        sleds,
      ].join(' × '),
      estimate: bytesToTib(estimate.storage),
      provisioned: bytesToTib(provisioned.storage),
      quotas: bytesToTib(allocated.storage),
      physical: null,
    },
  ]
}
