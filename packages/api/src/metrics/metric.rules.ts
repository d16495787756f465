/** The metrics of the plain endpoints: absolute values, at the time of each change. */
export const provisioningMetrics = [
  'virtual_disk_space_provisioned',
  'cpus_provisioned',
  'ram_provisioned',
] as const
export type ProvisioningMetric = (typeof provisioningMetrics)[number]

/** Nanoseconds in a hundredth of the 5 seconds between two samples of a vCPU (control plane reference B 19.1). */
export const vcpuPercent = 5e7

/** Maximum length of a query, in characters (control plane reference, B 20.3). */
export const timeseriesQueryMax = 4096

export const tooLongAQuery = `Queries must be <= ${timeseriesQueryMax} characters`
