import type { InputOf } from '@gantry/api/client/client'

type PoolSelector = NonNullable<NonNullable<InputOf<'instanceEphemeralIpAttach'>['body']>['poolSelector']>

/** The field of a request that names a pool; none for the silo's default one, which an empty name means. */
export const fromPool = (pool: string): { poolSelector?: PoolSelector } =>
  pool === '' ? {} : { poolSelector: { type: 'explicit', pool } }
