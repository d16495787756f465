import type { InputOf } from '@gantry/api/client/client'
import type { IpVersion } from './ip-version.ts'

type PoolSelector = NonNullable<NonNullable<InputOf<'instanceEphemeralIpAttach'>['body']>['poolSelector']>

/** The field of a request that names a pool; an empty name means the silo's default one of the version. */
export const fromPool = (pool: string, ipVersion: IpVersion = 'v4'): { poolSelector: PoolSelector } => ({
  poolSelector: pool === '' ? { type: 'auto', ipVersion } : { type: 'explicit', pool },
})
