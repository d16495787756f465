import type { ReactNode } from 'react'
import { createdColumn, descriptionColumn, nameColumn } from '#/kit/list/columns.tsx'
import { type Deferred, DeferredValue } from '#/kit/page/deferred.tsx'
import { taggedName } from '#/features/tags/tagged-name.tsx'
import type { Column } from '#/ui/data/column.ts'
import { BigNumber } from '#/ui/data/Figures.tsx'
import { percentOf } from '#/ui/data/format-amounts.ts'
import { formatNumber } from '#/ui/data/format.ts'
import { MiniGauge } from '#/ui/data/Gauge.tsx'
import { Tag } from '#/ui/data/Tag.tsx'
import { poolLink } from './links.ts'
import { countsOf, type PoolRange, type PoolUse, type PoolUtilization, type PoolWithUse } from './queries.ts'

/** With what the rows lack on servers with the base API alone. */
export const poolColumns = (uses: Deferred<ReadonlyMap<string, PoolUse>>): Column<PoolWithUse>[] => [
  taggedName(
    'ip-pool',
    nameColumn<PoolWithUse>(({ name }) => poolLink(name)),
  ),
  descriptionColumn<PoolWithUse>(),
  {
    id: 'silos',
    header: 'Silos',
    align: 'right',
    isLabelled: true,
    cell: (pool) =>
      pool.assignment === 'system_services' ? (
        <Tag>System services</Tag>
      ) : (
        <DeferredValue
          of={useOf(pool, uses)}
          render={({ silos }) => <span className="tabular-nums">{formatNumber(silos)}</span>}
        />
      ),
  },
  {
    id: 'use',
    header: 'Utilization',
    part: 'line',
    cell: (pool) => (
      <DeferredValue of={useOf(pool, uses)} render={({ utilization }) => <Utilization {...utilization} />} />
    ),
  },
  createdColumn<PoolWithUse>(),
]

function useOf(pool: PoolWithUse, uses: Deferred<ReadonlyMap<string, PoolUse>>): Deferred<PoolUse> {
  if (!Number.isNaN(pool.silos)) return pool
  return uses === undefined || uses === 'unknown' ? uses : uses.get(pool.id)
}

const address = (text: string) => <span className="font-mono text-[0.8125rem] wrap-anywhere">{text}</span>

export const rangeColumns: Column<PoolRange>[] = [
  { id: 'first', header: 'First', cell: ({ range }) => address(range.first) },
  { id: 'last', header: 'Last', isLabelled: true, cell: ({ range }) => address(range.last) },
  createdColumn<PoolRange>(),
]

/** Allocated addresses and capacity of a pool, for a cell. Names the version only for a pool with both. */
function Utilization(utilization: PoolUtilization) {
  const { ipv4, ipv6 } = countsOf(utilization)
  const capacity6 = BigInt(ipv6.capacity)
  const hasIpv6 = capacity6 > 0n
  const percent = percentOf(ipv4.allocated, ipv4.capacity)
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1 max-md:inline">
      <span className="inline-flex items-center gap-2 whitespace-nowrap">
        {hasIpv6 && <Tag>v4</Tag>}
        <Fraction part={ipv4.allocated} whole={ipv4.capacity} />
        {percent !== undefined && <MiniGauge label="IPv4 addresses allocated" used={percent} />}
      </span>
      {hasIpv6 && ' '}
      {hasIpv6 && (
        <span className="inline-flex items-center gap-2 whitespace-nowrap">
          <Tag>v6</Tag>
          <Fraction part={BigInt(ipv6.allocated)} whole={capacity6} />
        </span>
      )}
    </span>
  )
}

export function Fraction({ part, whole }: { part: number | bigint; whole: number | bigint }): ReactNode {
  return (
    <span className="tabular-nums">
      <BigNumber value={part} /> <span className="text-muted">/</span> <BigNumber value={whole} />
    </span>
  )
}
