import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { utilizationView } from '#/features/utilization/capacities.ts'
import { formatBytes, formatNumber } from '#/ui/data/format.ts'
import { formatCount, formatPercent, percentOf } from '#/ui/data/format-amounts.ts'
import { fillOf, GaugeSign } from '#/ui/data/Gauge.tsx'
import type { BinUse } from './queries.ts'

/** Upright rules: room that the recycle bin holds, and gives up when something needs it. */
const held = {
  background: 'repeating-linear-gradient(90deg, var(--text-muted) 0 2px, transparent 2px 4px)',
  boxShadow: 'none',
}

/** What the recycle bin holds of the silo's quota, beside what is in use. */
export function BinGauges({ use, isOfSilo }: { use: BinUse; isOfSilo: boolean }) {
  const { used, recycled, here, quota } = use.storage
  const { data } = useQuery(utilizationView)
  const cpus = data && { used: data.provisioned.cpus, quota: data.capacity.cpus }
  return (
    <div className="mb-4 grid gap-x-6 gap-y-4 rounded-block border border-line bg-page px-4 py-3 md:grid-cols-3">
      <Part
        label="Storage of the silo"
        used={percentOf(used, quota)}
        held={percentOf(recycled, quota)}
        figures={`${formatBytes(used + recycled)} of ${formatBytes(quota)}`}
      >
        <Key isHeld={false}>In use {formatBytes(used)}</Key>
        <Key isHeld>
          {`In recycle bins ${formatBytes(recycled)}${isOfSilo ? '' : `, of that ${formatBytes(here)} here`}`}
        </Key>
      </Part>
      <Part
        label="Addresses"
        figures={use.addresses === 0 ? 'None reserved' : `${formatNumber(use.addresses)} reserved`}
      >
        <span>
          {use.addresses === 0
            ? 'A deleted floating IP keeps its address, so that it can come back with it.'
            : `${formatCount(use.addresses, 'deleted floating IP')} can come back with its address, unless somebody asks for that address or the pool needs it.`}
        </span>
      </Part>
      <Part
        label="vCPUs"
        used={cpus && percentOf(cpus.used, cpus.quota)}
        figures={cpus ? `${formatNumber(cpus.used)} of ${formatNumber(cpus.quota)}` : ''}
      >
        <span>The bin holds none. A restored instance is stopped, and needs its vCPUs when it starts.</span>
      </Part>
    </div>
  )
}

interface PartProps {
  label: string
  /** Percent; without one, there is no limit to show. */
  used?: number | undefined
  held?: number | undefined
  figures: string
  children: ReactNode
}

function Part({ label, used, held: kept = 0, figures, children }: PartProps) {
  const total = (used ?? 0) + kept
  return (
    <section aria-label={label} className="grid content-start gap-1.5 text-xs text-muted">
      <p className="flex items-center gap-1.5 text-sm">
        <b className="mr-auto font-semibold text-strong">{label}</b>
        {used !== undefined && <GaugeSign percent={total} />}
        <span className="tabular-nums">{figures}</span>
      </p>
      {used !== undefined && (
        <div>
          <div
            role="meter"
            aria-label={label}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.min(100, Math.round(total))}
            aria-valuetext={`${formatPercent(used)} in use${kept > 0 ? `, ${formatPercent(kept)} in recycle bins` : ''}`}
            className="flex h-2.5 overflow-hidden rounded-[2px] border border-control-line bg-page"
          >
            <span
              className={`gauge-fill block ${fillOf(total)}`}
              style={{ width: `${Math.min(100, used)}%` }}
            />
            {kept > 0 && (
              <span
                className="gauge-added block"
                style={{ ...held, width: `${Math.min(100 - Math.min(100, used), kept)}%` }}
              />
            )}
          </div>
          <span aria-hidden className="ruler mt-0.5 block h-1.5" />
        </div>
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-0.5 tabular-nums">{children}</p>
    </section>
  )
}

function Key({ isHeld, children }: { isHeld: boolean; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span
        aria-hidden
        className={isHeld ? 'gauge-added size-3 border border-control-line' : 'gauge-fill size-3 bg-muted'}
        style={isHeld ? held : undefined}
      />
      {children}
    </span>
  )
}
