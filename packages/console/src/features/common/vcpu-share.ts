/** vCPU counters count nanoseconds and are sampled at this distance, in seconds (control plane reference B 19.1). */
const vcpuSampleSeconds = 5
const nanosecondsPerSecond = 1e9

/** Nanoseconds per sample, summed over vCPUs, as per cent of their time; null where there is no number. */
export const vcpuShare = (nanoseconds: readonly (number | null)[], vcpus: number): (number | null)[] =>
  nanoseconds.map((value) =>
    value === null || vcpus === 0 ? null : (value * 100) / (vcpuSampleSeconds * nanosecondsPerSecond * vcpus),
  )
