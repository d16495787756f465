import { type Dated, enumeration, Untranslatable } from '../dated.ts'

export const turinV2: Dated = {
  version: 2026060800,
  types: {
    InstanceCpuPlatform: enumeration(['amd_milan', 'amd_turin'], (platform) => {
      if (platform !== 'amd_turin_v2') return platform
      throw new Untranslatable(
        406,
        'Not Acceptable',
        'the CPU platform amd_turin_v2 is unknown to this version',
      )
    }),
  },
}
