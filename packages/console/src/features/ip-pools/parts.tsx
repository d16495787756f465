import { useQuery } from '@tanstack/react-query'
import type { ComboboxOption } from '#/ui/inputs/combobox.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Tooltip } from '#/ui/overlays/Tooltip.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { type IpVersion, ipVersions, versionNames } from './ip-version.ts'
import { allIpPools, type IpPool } from './queries.ts'

/** The name of a pool given by its id, if the silo may use that pool. */
export function IpPoolName({ id }: { id: string }) {
  const { data: pools, isPending } = useQuery(allIpPools)
  if (isPending) return <Skeleton />
  const pool = pools?.find((each) => each.id === id)
  if (!pool) return <EmptyCell />
  if (!pool.description) return pool.name
  return (
    <Tooltip content={pool.description}>
      <span>{pool.name}</span>
    </Tooltip>
  )
}

/** Former servers say neither version nor type of theirs, which are of IPv4 and unicast. */
type OfVersion = Partial<Pick<IpPool, 'ipVersion' | 'poolType'>>
type Pool = Pick<IpPool, 'name' | 'description' | 'isDefault'> & OfVersion

/** Pools of addresses for instances: those of multicast have none. */
export const addressPools = <One extends OfVersion>(
  pools: readonly One[],
  versions: readonly IpVersion[] = ipVersions,
): One[] =>
  pools.filter(({ ipVersion = 'v4', poolType }) => poolType !== 'multicast' && versions.includes(ipVersion))

/** The pool that allocates addresses if none is named, of several that of IPv4. */
export function defaultPool(pools: readonly (Pick<IpPool, 'name' | 'isDefault'> & OfVersion)[]): string {
  const defaults = pools.filter(({ isDefault }) => isDefault)
  return (defaults.find(({ ipVersion }) => ipVersion !== 'v6') ?? defaults[0])?.name ?? ''
}

export const poolOptions = (pools: readonly Pool[]): ComboboxOption[] =>
  pools.map(({ name, isDefault, ipVersion, description }) => ({
    value: name,
    label: name,
    detail: [isDefault && 'default', ipVersion === 'v6' && versionNames.v6, description]
      .filter(Boolean)
      .join(' · '),
  }))
