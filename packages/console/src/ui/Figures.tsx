import type { ReactNode } from 'react'

import { formatBigNumber, formatNumber, splitBytes } from './format.ts'
import { Tooltip } from './Tooltip.tsx'

/** A number with its unit dimmer: `16 GiB`. */
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

/** Abbreviated from a million on, with the full number in the tooltip. */
export function BigNumber({ value }: { value: number | bigint }) {
  const { text, full } = formatBigNumber(value)
  if (!full) return <span className="tabular-nums">{text}</span>
  return (
    <Tooltip content={full}>
      <span className="tabular-nums">{text}</span>
    </Tooltip>
  )
}
