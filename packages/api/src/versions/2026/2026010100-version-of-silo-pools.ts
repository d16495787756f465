import { type Dated, without } from '../dated.ts'

export const versionOfSiloPools: Dated = {
  version: 2026010100,
  types: { SiloIpPool: without('ip_version', 'pool_type') },
}
