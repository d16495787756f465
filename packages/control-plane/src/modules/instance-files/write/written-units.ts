import { breather } from '@gantry/control-plane/context/pauses'

/** A disk whose bytes never change. */
export interface DiskBytes {
  size: number
  read: (offset: number, length: number) => Promise<Uint8Array<ArrayBuffer>>
  /** Whether a range may hold other bytes than zeros. */
  written: (offset: number, length: number) => boolean
}

/** A file whose size is known before any of its bytes are. */
export interface LaidOut {
  size: number
  /** All of it, in order. */
  pieces: () => AsyncGenerator<Uint8Array>
}

/** What both formats write of a disk at once, or not at all. */
export const unitBytes = 64 * 1024

/** Which units of a disk are written, and how many of each group, for which a format keeps a table. */
export interface WrittenUnits {
  count: number
  perGroup: Uint32Array
  has: (unit: number) => boolean
}

export async function writtenUnits(
  { size, written }: DiskBytes,
  unitsPerGroup: number,
): Promise<WrittenUnits> {
  const units = Math.ceil(size / unitBytes)
  const bits = new Uint8Array(Math.ceil(units / 8))
  const perGroup = new Uint32Array(Math.ceil(units / unitsPerGroup))
  const isWritten = (first: number, count: number): boolean =>
    written(first * unitBytes, Math.min(count * unitBytes, size - first * unitBytes))
  let count = 0
  const breath = breather()
  for (let group = 0; group < perGroup.length; group++) {
    const first = group * unitsPerGroup
    const end = Math.min(units, first + unitsPerGroup)
    await breath()
    if (!isWritten(first, end - first)) continue
    let own = 0
    for (let unit = first; unit < end; unit++) {
      if (!isWritten(unit, 1)) continue
      bits[unit >> 3] = (bits[unit >> 3] ?? 0) | (1 << (unit & 7))
      own++
    }
    perGroup[group] = own
    count += own
  }
  return { count, perGroup, has: (unit) => ((bits[unit >> 3] ?? 0) & (1 << (unit & 7))) !== 0 }
}

/** How many units are read at once. */
const unitsAtOnce = 16

/** The written units in order, each whole: beyond the end of the disk are zeros. Neighbours come together. */
export async function* readUnits(
  disk: DiskBytes,
  { has }: WrittenUnits,
  from: number,
  end: number,
): AsyncGenerator<{ first: number; bytes: Uint8Array }> {
  for (let unit = from; unit < end;) {
    if (!has(unit)) {
      unit++
      continue
    }
    const first = unit
    while (unit < end && unit - first < unitsAtOnce && has(unit)) unit++
    const length = Math.min((unit - first) * unitBytes, disk.size - first * unitBytes)
    const read = await disk.read(first * unitBytes, length)
    if (read.length !== length) throw new Error('the bytes of a disk ended early')
    const whole = (unit - first) * unitBytes
    if (length === whole) yield { first, bytes: read }
    else {
      const padded = new Uint8Array(whole)
      padded.set(read)
      yield { first, bytes: padded }
    }
  }
}
