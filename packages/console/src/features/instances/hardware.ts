import { GiB } from '@gantry/api/base/bytes.rules'
import { instanceLimits } from '@gantry/api/compute/instance.rules'
import { wholeNumberProblem } from '#/kit/forms/whole-number.ts'

const maxGib = instanceLimits.maxMemory / GiB

/** The problem with a typed number of vCPUs. */
export const cpusProblem = (cpus: number | null, label = 'CPUs'): string | undefined =>
  wholeNumberProblem(cpus, label, (count) => {
    if (count < 1) return 'Must be at least 1 vCPU'
    return count > instanceLimits.maxCpus ? `Can be at most ${instanceLimits.maxCpus} vCPUs` : undefined
  })

/** The same for memory, in GiB. */
export const memoryProblem = (gib: number | null): string | undefined =>
  wholeNumberProblem(gib, 'Memory', (whole) => {
    if (whole < 1) return 'Must be at least 1 GiB'
    return whole > maxGib ? `Can be at most ${maxGib} GiB` : undefined
  })
