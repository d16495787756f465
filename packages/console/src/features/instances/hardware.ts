import { GiB } from '@gantry/api/bytes.rules'
import { instanceLimits } from '@gantry/api/instance.rules'

const maxGib = instanceLimits.maxMemory / GiB

/** The problem with a typed number of vCPUs. */
export function cpusProblem(cpus: number | null, label = 'CPUs'): string | undefined {
  if (cpus === null) return `${label} is required`
  if (!Number.isInteger(cpus)) return 'Must be a whole number'
  if (cpus < 1) return 'Must be at least 1 vCPU'
  return cpus > instanceLimits.maxCpus ? `Can be at most ${instanceLimits.maxCpus} vCPUs` : undefined
}

/** The same for memory, in GiB. */
export function memoryProblem(gib: number | null): string | undefined {
  if (gib === null) return 'Memory is required'
  if (!Number.isInteger(gib)) return 'Must be a whole number'
  if (gib < 1) return 'Must be at least 1 GiB'
  return gib > maxGib ? `Can be at most ${maxGib} GiB` : undefined
}
