import * as op from '@gantry/api/client/operations.gen'
import type { PoolLinks } from '#/features/silo-links/pool-links.ts'
import { allPoolSilos, poolsOfSilo, type SubnetPool } from './queries.ts'

/** A silo has a default pool of each IP version. */
export const subnetPoolLinks = ({ name: pool, ipVersion }: SubnetPool): PoolLinks => ({
  pool,
  noun: 'subnet pool',
  given: 'subnets',
  tab: (silo) => ({ to: '/system/silos/$silo', params: { silo } }),
  all: allPoolSilos(pool),
  poolsOf: poolsOfSilo,
  isReplaced: (other) => other.isDefault && other.ipVersion === ipVersion,
  link: op.subnetPoolSiloLink,
  update: op.subnetPoolSiloUpdate,
  unlink: op.subnetPoolSiloUnlink,
})
