import { vcpuPercent } from '@gantry/api/metrics/metric.rules'

/** Nanoseconds per sample, summed over vCPUs, as a percentage of their time; null without a number. */
export const vcpuShare = (nanoseconds: readonly (number | null)[], vcpus: number): (number | null)[] =>
  nanoseconds.map((value) => (value === null || vcpus === 0 ? null : value / (vcpuPercent * vcpus)))
