import { tickText } from '#/ui/chart/axis.ts'
import { formatNumber } from '#/ui/data/format.ts'

export type UnitKind = 'bytes' | 'count' | 'percent'

/** The unit of a chart's values: their divisor, and its text in the title, on the axis and in full. */
export interface Unit {
  /** Beside the title, as in `(GiB)`. */
  label: string
  divisor: number
  tick: (value: number) => string
  value: (value: number) => string
}

const byteUnits = ['Bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const
const countSuffixes = ['', 'k', 'M', 'B', 'T'] as const

/** The unit in which the largest value is at least 1 and less than the next unit (console reference B 7.4). */
export function unitFor(kind: UnitKind, largest: number): Unit {
  if (kind === 'percent') {
    const text = (value: number) => `${formatNumber(value)}%`
    return { label: '%', divisor: 1, tick: text, value: text }
  }
  if (kind === 'bytes') {
    const power = powerOf(largest, 1024, byteUnits.length - 1)
    const label = byteUnits[power] ?? 'Bytes'
    return fixedUnit(label, 1024 ** power)
  }
  const power = powerOf(largest, 1000, countSuffixes.length - 1)
  const divisor = 1000 ** power
  const suffix = countSuffixes[power] ?? ''
  return {
    label: 'Count',
    divisor,
    tick: (value) => `${tickText(value)}${suffix}`,
    value: (value) => formatNumber(value * divisor),
  }
}

/** A fixed unit. */
export function fixedUnit(label: string, divisor: number): Unit {
  const isCount = label === 'Count'
  return {
    label,
    divisor,
    tick: tickText,
    value: (value) => (isCount ? formatNumber(value) : `${formatNumber(value)} ${label}`),
  }
}

function powerOf(largest: number, base: number, highest: number): number {
  let power = 0
  for (let rest = largest; rest >= base && power < highest; rest /= base) power += 1
  return power
}
