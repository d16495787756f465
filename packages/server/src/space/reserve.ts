import type { Settings } from '@gantry/control-plane/settings'

const MiB = 1024 ** 2
const GiB = 1024 ** 3
/** Of the whole volume, within bounds that suit small and huge ones. */
const SHARE = 0.05
const LEAST = GiB
const MOST = 16 * GiB
/** A small volume stays useful: most of it is for bulk bytes. */
const MOST_SHARE = 0.25

/** How many bytes of a volume no disk, image or snapshot may take. */
export function reserveOf(wanted: Settings['storage']['reserve_bytes'], total: number): number {
  if (wanted !== 'auto') return wanted
  return Math.round(Math.min(MOST, Math.max(LEAST, total * SHARE), total * MOST_SHARE))
}

/** How large a file is kept for the database to fall back on when the volume is full all the same. */
export const ballastOf = (total: number): number => Math.round(Math.min(64 * MiB, total / 8))
