import { splitBytes, splitMemory } from '@gantry/api/base/bytes.rules'
import type { ReactNode } from 'react'
import { formatBigNumber } from './format-amounts.ts'
import { formatNumber } from './format.ts'
import { Tooltip } from '../overlays/Tooltip.tsx'

/** A number with a dimmed unit: `16 GiB`. */
export function Figure({ value, unit }: { value: ReactNode; unit?: ReactNode }) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      {typeof value === 'number' ? formatNumber(value) : value}
      {unit !== undefined && <span className="text-muted"> {unit}</span>}
    </span>
  )
}

export function Size({ bytes }: { bytes: number }) {
  return <Figure {...splitBytes(bytes)} />
}

export function Memory({ bytes }: { bytes: number }) {
  return <Figure {...splitMemory(bytes)} />
}

/** Abbreviates a long number; the tooltip has all of it. */
export function BigNumber({ value }: { value: number | bigint }) {
  const { text, full } = formatBigNumber(value)
  if (!full) return text
  return (
    <Tooltip content={full} describes={false}>
      <span>
        <span aria-hidden>{text}</span>
        <span className="sr-only">{full}</span>
      </span>
    </Tooltip>
  )
}
