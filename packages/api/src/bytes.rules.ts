export const KiB = 1024
export const MiB = 1024 * KiB
export const GiB = 1024 * MiB
export const TiB = 1024 * GiB

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

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

/** The best unit and at most two decimals, apart, so that a screen can dim the unit. */
export function splitBytes(bytes: number): { value: number; unit: (typeof units)[number] } {
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return { value: Math.round((bytes / 1024 ** step) * 100) / 100, unit: units[step] ?? 'B' }
}

/**
 * The value in the unit shown, rounded up to a multiple of ten and capped at 1023: the ceiling of a chart's
 * axis and the size in GiB suggested for a disk made from an image or snapshot (rulings).
 */
export function ceilingOf(value: number): number {
  return Math.min(1023, Math.ceil(value / 10) * 10)
}
