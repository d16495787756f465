import { cpuPercent } from '@gantry/api/metric-query.rules'

/** Nanoseconds per sample, summed over vCPUs, as per cent of their time; null where there is no number. */
export const vcpuShare = (nanoseconds: readonly (number | null)[], vcpus: number): (number | null)[] =>
  nanoseconds.map((value) => (value === null || vcpus === 0 ? null : value / (cpuPercent.factor * vcpus)))
