import fs from 'node:fs/promises'
import path from 'node:path'
import type { Dialect } from 'kysely'
import { lockDataDir } from '../data-dir-lock.ts'
import { pgliteDialect } from './dialect.ts'
import { makeCluster } from './make-cluster.ts'
import { startUpkeep } from './upkeep.ts'
import { startWorker, type WorkerClient } from './worker-client.ts'

export interface OpenPglite {
  dialect: Dialect
  worker: WorkerClient
  close: () => Promise<void>
}

export interface PgliteOptions {
  dataDir: string
  /** The database is gone for good; the process can only end. */
  onCrash: (error: Error) => void
  underTest?: boolean
}

/** Opens the embedded database of a data directory, which it locks; the first time it makes the database. */
export async function openPglite(options: PgliteOptions): Promise<OpenPglite> {
  const { dataDir, onCrash, underTest = false } = options
  await fs.mkdir(dataDir, { recursive: true, mode: 0o700 })
  const lock = await lockDataDir(dataDir)
  try {
    const directory = path.join(dataDir, 'database')
    await makeCluster(directory)
    const worker = await startWorker({ directory, underTest }, onCrash)

    let closed: Promise<void> | undefined
    const close = (): Promise<void> =>
      (closed ??= (async () => {
        upkeep.stop()
        try {
          // A transaction that runs now ends before the database does.
          await exclusively(() => worker.close())
        } finally {
          await lock.release()
        }
      })())
    const { dialect, exclusively } = pgliteDialect(worker, close)
    const upkeep = startUpkeep(worker, exclusively)
    return { dialect, worker, close }
  } catch (error) {
    await lock.release()
    throw error
  }
}
