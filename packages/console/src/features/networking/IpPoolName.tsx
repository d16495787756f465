import { useQuery } from '@tanstack/react-query'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tooltip } from '../../ui/Tooltip.tsx'
import { EmptyCell } from '../../ui/Truncate.tsx'
import { allIpPools } from './queries.ts'

/** The name of a pool that is known by its id. */
export function IpPoolName({ id }: { id: string }) {
  const { data: pools, isError } = useQuery(allIpPools)
  if (!pools && !isError) return <Skeleton />
  return <PoolName pool={pools?.find((pool) => pool.id === id)} />
}
