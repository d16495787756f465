import * as op from '@gantry/api/client/operations.gen'
import type { PoolLinks } from '#/features/silo-links/pool-links.ts'
import { allPoolSilos, poolsOfSilo } from './queries.ts'

export const ipPoolLinks = (pool: string): PoolLinks => ({
  pool,
  noun: 'IP pool',
  given: 'addresses',
  tab: (silo) => ({ to: '/system/silos/$silo/ip-pools', params: { silo } }),
  all: allPoolSilos(pool),
  poolsOf: poolsOfSilo,
  isReplaced: ({ isDefault }) => isDefault,
  link: op.ipPoolSiloLink,
  update: op.ipPoolSiloUpdate,
  unlink: op.ipPoolSiloUnlink,
})
