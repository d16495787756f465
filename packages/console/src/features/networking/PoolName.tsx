import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { EmptyCell } from '../../ui/Truncate.tsx'
import type { IpPool } from './queries.ts'

/** The name of a pool that is known by its id, out of all that the silo has; undefined while they are on their way. */
export function PoolName({ pools, id }: { pools: readonly IpPool[] | undefined; id: string }) {
  if (!pools) return <Skeleton />
  const pool = pools.find((each) => each.id === id)
  if (!pool) return <EmptyCell />
  if (!pool.description) return pool.name
  return (
    <Tooltip content={pool.description}>
      <span>{pool.name}</span>
    </Tooltip>
  )
}
