import { useQuery } from '@tanstack/react-query'
import type { ComboboxOption } from '#/ui/inputs/combobox.ts'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Tooltip } from '#/ui/overlays/Tooltip.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
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

type Pool = Pick<IpPool, 'name' | 'description' | 'isDefault'>

/** The pool that allocates addresses if none is named. */
export const defaultPool = (pools: readonly Pick<Pool, 'name' | 'isDefault'>[]): string =>
  pools.find(({ isDefault }) => isDefault)?.name ?? ''

export const poolOptions = (pools: readonly Pool[]): ComboboxOption[] =>
  pools.map(({ name, isDefault, description }) => ({
    value: name,
    label: name,
    detail: [isDefault && 'default', description].filter(Boolean).join(' · '),
  }))
