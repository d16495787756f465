import type { ReactNode } from 'react'

import { splitBytes, splitMemory } from '@gantry/api/bytes.rules'
import { formatNumber } from './format.ts'

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
