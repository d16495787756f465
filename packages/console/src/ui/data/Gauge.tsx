// @chunk gauges: of pages that show capacities, which most lists do not.
import CircleAlert from 'lucide-react/icons/circle-alert'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { ReactNode } from 'react'

import { classes } from '../classes.ts'
import { formatPercent } from './format-amounts.ts'

const WARN_FROM = 75
const CRITICAL_FROM = 90

type Level = 'calm' | 'warn' | 'critical'

function gaugeLevel(percent: number): Level {
  if (percent >= CRITICAL_FROM) return 'critical'
  return percent >= WARN_FROM ? 'warn' : 'calm'
}

const fills: Record<Level, string> = { calm: 'bg-muted', warn: 'bg-busy-fill', critical: 'bg-fail-fill' }

/** The colour of what is in use. */
export const fillOf = (percent: number): string => fills[gaugeLevel(percent)]

type Props = {
  /** The accessible name. */
  label: string
  /** Percent in use, from 0; may exceed 100. */
  used: number
  /** Percent that the open form would add. */
  added?: number
  /** Replaces the percentage for screen readers: `212 of 256 vCPU`. */
  text?: string
  ruler?: boolean
  /** Words below the ruler: start, middle, end. */
  scale?: readonly [ReactNode, ReactNode, ReactNode]
  className?: string
}

/** The bar of a capacity. The caller writes the number beside it, because a bar alone is imprecise. */
export function Gauge({ label, used, added = 0, text, ruler, scale, className }: Props) {
  const total = used + added
  const fill = Math.min(100, Math.max(0, used))
  return (
    <div className={className}>
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, Math.round(total * 100) / 100)}
        aria-valuetext={text ?? formatPercent(total)}
        className="flex h-2.5 overflow-hidden rounded-[2px] border border-control-line bg-page"
      >
        <span className={classes('gauge-fill block', fillOf(used))} style={{ width: `${fill}%` }} />
        {added > 0 && (
          <span className="gauge-added block" style={{ width: `${Math.min(100 - fill, added)}%` }} />
        )}
      </div>
      {(ruler || scale) && <span aria-hidden className="ruler mt-0.5 block h-1.5" />}
      {scale && (
        <div className="grid grid-cols-3 text-xs text-muted tabular-nums">
          <span>{scale[0]}</span>
          <span className="text-center">{scale[1]}</span>
          <span className="text-right">{scale[2]}</span>
        </div>
      )}
    </div>
  )
}

/** The sign beside a high figure; nothing below 75 %. */
export function GaugeSign({ percent }: { percent: number }) {
  const level = gaugeLevel(percent)
  if (level === 'calm') return null
  const [Icon, tone, word] =
    level === 'warn'
      ? ([TriangleAlert, 'text-busy-fill', 'High'] as const)
      : ([CircleAlert, 'text-fail-fill', 'Nearly full'] as const)
  return <Icon role="img" aria-label={word} className={classes('size-4 shrink-0', tone)} />
}

/** A small gauge with its number, for table cells. */
export function MiniGauge({ label, used }: { label: string; used: number }) {
  return (
    <span className="inline-flex items-center gap-2">
      <Gauge label={label} used={used} className="w-14" />
      <span className="tabular-nums">{formatPercent(used)}</span>
      <GaugeSign percent={used} />
    </span>
  )
}
