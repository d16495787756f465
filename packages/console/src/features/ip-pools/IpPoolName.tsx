import { useQuery } from '@tanstack/react-query'
import { Skeleton } from '#/ui/Skeleton.tsx'
import { Tooltip } from '#/ui/Tooltip.tsx'
import { EmptyCell } from '#/ui/Truncate.tsx'
import { allIpPools } from './queries.ts'

/** The name of a pool given by its id, if the silo may use that pool. */
export function IpPoolName({ id }: { id: string }) {
  const { data: pools, isError } = useQuery(allIpPools)
  if (!pools && !isError) return <Skeleton />
  const pool = pools?.find((each) => each.id === id)
  if (!pool) return <EmptyCell />
  if (!pool.description) return pool.name
  return (
    <Tooltip content={pool.description}>
      <span>{pool.name}</span>
    </Tooltip>
  )
}
