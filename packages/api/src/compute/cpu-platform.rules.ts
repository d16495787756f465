/** Processors of sleds, oldest first. */
export const cpuFamilies = ['amd_milan', 'amd_turin'] as const
export type CpuFamily = (typeof cpuFamilies)[number]

/** Processors as guests see them. */
export const cpuPlatforms = ['amd_milan', 'amd_turin', 'amd_turin_v2'] as const
export type CpuPlatformName = (typeof cpuPlatforms)[number]

export const cpuFamilyWords: Readonly<Record<CpuFamily, string>> = {
  amd_milan: 'AMD Milan',
  amd_turin: 'AMD Turin',
}

export const cpuPlatformWords: Readonly<Record<CpuPlatformName, string>> = {
  ...cpuFamilyWords,
  amd_turin_v2: 'AMD Turin v2',
}

/** The families that can run each platform: newer processors run what is for older ones. */
const families: Readonly<Record<CpuPlatformName, readonly CpuFamily[]>> = {
  amd_milan: ['amd_milan', 'amd_turin'],
  amd_turin: ['amd_turin'],
  amd_turin_v2: ['amd_turin'],
}

/** Whether a sled can run an instance of a platform; without one, it runs on every sled. */
export const runsPlatform = (family: CpuFamily | null, platform: CpuPlatformName | null): boolean =>
  platform === null || (family !== null && families[platform].includes(family))
