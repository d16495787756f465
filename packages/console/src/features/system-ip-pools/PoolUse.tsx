import type { ReactNode } from 'react'
import { BigNumber } from '#/ui/BigNumber.tsx'
import { percentOf } from '#/ui/format-amounts.ts'
import { MiniGauge } from '#/ui/Gauge.tsx'
import { Tag } from '#/ui/Tag.tsx'
import type { PoolUtilization } from './queries.ts'

/** Allocated addresses and capacity of a pool, for a cell. Names the version only for a pool with both. */
export function PoolUse({ ipv4, ipv6 }: PoolUtilization) {
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

function Fraction({ part, whole }: { part: number | bigint; whole: number | bigint }): ReactNode {
  return (
    <span className="tabular-nums">
      <BigNumber value={part} /> <span className="text-muted">/</span> <BigNumber value={whole} />
    </span>
  )
}
