import { randomFillSync } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { syncFolder } from '../blocks/block-files-io.ts'
import { volumeOf } from './free-space.ts'
import { ballastOf } from './reserve.ts'

/**
 * The ballast's path in the data directory. Anyone who needs its space removes it; the database does so
 * automatically.
 */
export const ballastIn = (dataDir: string): string => path.join(dataDir, 'ballast')

const PIECE = 1024 * 1024
const EVERY_MS = 10_000

export interface Ballast {
  stop: () => Promise<void>
}

export interface BallastNews {
  /** Called when the database has removed it: the volume was full. */
  onReleased: () => void
  onMade: () => void
}

/**
 * Keeps a dummy file beside the database. The reserve limits our own writes; if something else fills the
 * volume, removing this file gives the database space for its log, and users space to delete things.
 */
export function keepBallast(
  dataDir: string,
  { onReleased, onMade }: BallastNews,
  everyMs = EVERY_MS,
): Ballast {
  let timer: NodeJS.Timeout | undefined
  let wasThere = false
  let isStopped = false

  const look = async (): Promise<void> => {
    const isThere = await hasBallast(dataDir)
    if (wasThere && !isThere) onReleased()
    wasThere = isThere || (await makeBallast(dataDir))
    if (!isThere && wasThere) onMade()
  }
  const turn = (): Promise<void> =>
    look()
      // No space, or nothing to write to: retried in the next round.
      .catch(() => {})
      .then(() => {
        if (!isStopped) timer = setTimeout(again, everyMs).unref()
      })
  const again = (): void => {
    running = turn()
  }
  let running = turn()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}

export const hasBallast = (dataDir: string): Promise<boolean> =>
  fs.access(ballastIn(dataDir)).then(
    () => true,
    () => false,
  )

/** Creates it if that leaves as much space again; returns whether it did. */
export async function makeBallast(dataDir: string): Promise<boolean> {
  const { free, total } = await volumeOf(dataDir)
  const size = ballastOf(total)
  if (free < 2 * size) return false
  const unfinished = `${ballastIn(dataDir)}-unfinished`
  try {
    const file = await fs.open(unfinished, 'w', 0o600)
    try {
      // Random bytes, because compressing file systems would store zeros in no space.
      const piece = randomFillSync(Buffer.alloc(PIECE))
      for (let at = 0; at < size; at += PIECE) await file.write(piece, 0, Math.min(PIECE, size - at), at)
      await file.sync()
    } finally {
      await file.close()
    }
    await fs.rename(unfinished, ballastIn(dataDir))
    await syncFolder(dataDir)
    return true
  } catch (error) {
    await fs.rm(unfinished, { force: true })
    throw error
  }
}

/** Frees its space; false if there was none. */
export const releaseBallast = (dataDir: string): Promise<boolean> =>
  fs.rm(ballastIn(dataDir)).then(
    () => true,
    () => false,
  )
