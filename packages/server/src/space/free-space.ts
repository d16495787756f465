import fs from 'node:fs/promises'
import { OutOfSpace } from '@gantry/control-plane/blocks/block-store'
import type { Settings } from '@gantry/control-plane/settings'
import { reserveOf } from './reserve.ts'

/** How long a measurement of the volume is valid. Our own writes since then are added to it. */
const FRESH_MS = 250

/** Space on a volume for bulk bytes, above the reserve for the database. */
export interface FreeSpace {
  /**
   * Runs work that writes `bytes`, and refuses it if they would reach into the reserve. Long work reports
   * what it has written through `wrote`.
   */
  taking: <T>(bytes: number, work: (wrote: (bytes: number) => void) => Promise<T>) => Promise<T>
  /** Whether so many bytes are free above the reserve now, whatever current work will still write. */
  hasFree: (bytes: number) => Promise<boolean>
}

interface Measured {
  free: number
  reserve: number
  at: number
}

/**
 * Measures the volume of a folder. Claims of current writes are added to the measurement, so that concurrent
 * writers cannot get into the reserve.
 */
export function freeSpace(folder: string, wanted: Settings['storage']['reserve_bytes']): FreeSpace {
  let measured: Measured = { free: 0, reserve: 0, at: -Infinity }
  let measuring: Promise<void> | undefined
  let claimed = 0
  let writtenSince = 0

  const measure = (): Promise<void> =>
    (measuring ??= (async () => {
      const before = writtenSince
      const { free, total } = await volumeOf(folder)
      writtenSince -= before
      measured = { free, reserve: reserveOf(wanted, total), at: performance.now() }
    })().finally(() => (measuring = undefined)))

  const room = (): number => measured.free - measured.reserve - claimed - writtenSince

  /** Checks and claims in one step, because two concurrent claims must not take the same space. */
  const hasClaimed = (bytes: number): boolean => {
    if (bytes > room()) return false
    claimed += bytes
    return true
  }
  const claim = async (bytes: number): Promise<void> => {
    if (performance.now() - measured.at > FRESH_MS) await measure()
    if (hasClaimed(bytes)) return
    // Something may have been removed since.
    await measure()
    if (hasClaimed(bytes)) return
    const { free, reserve } = measured
    throw new OutOfSpace('the volume is full', { space: { free, reserve } })
  }

  return {
    async hasFree(bytes) {
      if (performance.now() - measured.at > FRESH_MS) await measure()
      return measured.free - measured.reserve >= bytes
    },
    async taking(bytes, work) {
      // Zeroing holes writes nothing, and is always allowed.
      if (bytes > 0) await claim(bytes)
      let left = bytes
      const wrote = (count: number): void => {
        const part = Math.min(count, left)
        left -= part
        claimed -= part
        writtenSince += part
      }
      try {
        return await work(wrote)
      } finally {
        wrote(left)
      }
    },
  }
}

export async function volumeOf(folder: string): Promise<{ free: number; total: number }> {
  const { bavail, blocks, bsize } = await fs.statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

/** For stores that nothing else fills, as in a restore. */
export const boundless: FreeSpace = {
  taking: (_, work) => work(() => {}),
  hasFree: async () => true,
}
