import { Tooltip } from '../../ui/Tooltip.tsx'
import { EmptyCell } from '../../ui/Truncate.tsx'
import type { IpPool } from './queries.ts'

/** The name of a pool, with what it is for; there is none to show where the silo may not use it any more. */
export function PoolName({ pool }: { pool: IpPool | undefined }) {
  if (!pool) return <EmptyCell />
  if (!pool.description) return pool.name
  return (
    <Tooltip content={pool.description}>
      <span>{pool.name}</span>
    </Tooltip>
  )
}
