export const KiB = 1024
export const MiB = 1024 * KiB
export const GiB = 1024 * MiB
export const TiB = 1024 * GiB

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
type ByteUnit = (typeof units)[number]

const roundTo2 = (value: number): number => Math.round(value * 100) / 100

/** The largest binary unit that divides exactly: `512 B`, `1536 GiB`, `2 TiB` (control plane reference, B 1.8). */
export function exactBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value !== 0 && value % 1024 === 0 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${value} ${units[unit]}`
}

/** A number with at most two decimals and its unit, as separate parts, so that a screen can dim the unit. */
export interface Amount {
  value: number
  unit: ByteUnit
}

/**
 * Converts to the largest unit, up to `largest`, in which the displayed value is at least 1. Rounds first, because
 * 1023.999 KiB would otherwise show as "1024 KiB".
 */
export function splitBytes(bytes: number, largest: ByteUnit = 'TiB'): Amount {
  const last = units.indexOf(largest)
  let step = 0
  let value = bytes
  for (; roundTo2(Math.abs(value)) >= KiB && step < last; value /= KiB) step += 1
  return { value: roundTo2(value), unit: units[step] ?? 'B' }
}

/** Memory never exceeds GiB, the unit of quotas and instance sizes: never 1 TiB here and 1,024 GiB there. */
export const splitMemory = (bytes: number): Amount => splitBytes(bytes, 'GiB')

const shown = ({ value, unit }: Amount): string => `${value} ${unit}`

/** In sentences: `512 MiB`, `2.5 TiB`. */
export const shownBytes = (bytes: number): string => shown(splitBytes(bytes))

/** In sentences: `512 MiB`, `2560 GiB`. */
export const shownMemory = (bytes: number): string => shown(splitMemory(bytes))

/**
 * Rounds up the displayed value to a multiple of ten, capped at 1023: the ceiling of a chart's axis, and the
 * suggested size in GiB of a disk made from an image or snapshot (rulings).
 */
export function ceilingOf(value: number): number {
  return Math.min(1023, Math.ceil(value / 10) * 10)
}
