import type { Settings } from '@gantry/control-plane/settings'

const MiB = 1024 ** 2
const GiB = 1024 ** 3
/** Share of the whole volume, within limits for small and huge ones. */
const SHARE = 0.05
const LEAST = GiB
const MOST = 16 * GiB
/** Maximum share, so that most of a small volume is usable for bulk bytes. */
const MOST_SHARE = 0.25

/** Bytes of a volume that no disk, image or snapshot may use. */
export function reserveOf(wanted: Settings['storage']['reserve_bytes'], total: number): number {
  if (wanted !== 'auto') return wanted
  return Math.round(Math.min(MOST, Math.max(LEAST, total * SHARE), total * MOST_SHARE))
}

/** Size of the file that the database can sacrifice when the volume is full nevertheless. */
export const ballastOf = (total: number): number => Math.round(Math.min(64 * MiB, total / 8))
