import fs, { constants } from 'node:fs/promises'
import path from 'node:path'
import { isDamage } from '@gantry/control-plane/db/damage'
import type { Dialect } from 'kysely'
import { ballastIn, releaseBallast } from '../../space/ballast.ts'
import { volumeOf } from '../../space/free-space.ts'
import { isFull } from '../../space/full-volume.ts'
import { ballastOf } from '../../space/reserve.ts'
import { type DataDirLock, lockDataDir } from '../data-dir-lock.ts'
import { explainDamage, needFiles } from './damage.ts'
import { offerDatabase } from './database-copies.ts'
import { pgliteDialect } from './dialect.ts'
import { makeCluster } from './make-cluster.ts'
import { startUpkeep } from './upkeep.ts'
import { superviseWorker, type SupervisedWorker } from './supervised-worker.ts'
import type { WorkerClient } from './worker-client.ts'

export interface OpenPglite {
  dialect: Dialect
  worker: SupervisedWorker
  close: () => Promise<void>
}

export interface PgliteOptions {
  dataDir: string
  /** The database has failed permanently; the process can only exit. */
  onCrash: (error: Error) => void
  /** The database has ended and restarts after `delayMs`. */
  onRestart?: (error: Error, delayMs: number) => void
  underTest?: boolean
}

/** Locks a data directory and opens its embedded database; creates the database at the first start. */
export async function openPglite(options: PgliteOptions): Promise<OpenPglite> {
  const { dataDir, onCrash, onRestart = () => {}, underTest = false } = options
  await fs.mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = await lockWithBallast(dataDir)
  try {
    const directory = path.join(dataDir, 'database')
    await makeCluster(directory)
    const worker = await superviseWorker(
      { directory, ballast: ballastIn(dataDir), underTest },
      { onCrash, onRestart },
    ).catch((error: unknown) => {
      throw explainDamage(directory, error as Error)
    })
    await needFiles(directory, await worker.current()).catch(async (error: unknown) => {
      await worker.close()
      throw isDamage(error) ? explainDamage(directory, error as Error) : error
    })

    let closed: Promise<void> | undefined
    const close = (): Promise<void> =>
      (closed ??= (async () => {
        upkeep.stop()
        try {
          await copies.close()
          // The current transaction ends before the database does.
          await exclusively(() => worker.close())
        } finally {
          await lock.release()
        }
      })())
    const { dialect, exclusively } = pgliteDialect(worker, close)
    const upkeep = startUpkeep(exclusively)
    const copies = await offerDatabase(dataDir, (folder) =>
      exclusively((current) => copyCluster(current, directory, folder)),
    )
    return { dialect, worker, close }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** A lock is a small file, for which a full volume has only the ballast's space. */
async function lockWithBallast(dataDir: string): Promise<DataDirLock> {
  try {
    return await lockDataDir(dataDir)
  } catch (error) {
    if (!isFull(error) || !(await releaseBallast(dataDir))) throw error
    return lockDataDir(dataDir)
  }
}

/** A copy is a convenience, and must not use up the original's last space. */
async function needRoomForCopy(directory: string): Promise<void> {
  let size = 0
  for (const entry of await fs.readdir(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) size += (await fs.stat(path.join(entry.parentPath, entry.name))).size
  const { free, total } = await volumeOf(directory)
  if (free - size > ballastOf(total)) return
  const [needed, there] = [size, free].map((bytes) => `${Math.ceil(bytes / 1024 ** 2)} MiB`)
  throw new Error(
    `a copy takes ${needed}, and ${there} are free. Make room on the volume, or stop the server first.`,
  )
}

/**
 * While the worker is idle nothing is written, so a copy made then equals the database after a power cut:
 * consistent.
 */
async function copyCluster(worker: WorkerClient, directory: string, folder: string): Promise<void> {
  await needRoomForCopy(directory)
  await worker.query('checkpoint', [])
  // Shares blocks if the file system supports it.
  await fs.cp(directory, folder, { recursive: true, mode: constants.COPYFILE_FICLONE })
}
