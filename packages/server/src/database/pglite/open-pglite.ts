import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { Dialect } from 'kysely'
import { lockDataDir } from '../data-dir-lock.ts'
import { pgliteDialect } from './dialect.ts'
import { syncDirectory } from './sync-directory.js'
import { startUpkeep } from './upkeep.ts'
import { startWorker, type WorkerClient } from './worker-client.ts'

/** The major version inside the pinned PGlite; a folder of another one needs an export and an import. */
const POSTGRES_MAJOR = '18'

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

const UNFINISHED = 'database-unfinished-'

/** Makes the cluster beside its place and renames it there whole, so that a kill leaves all of it or nothing. */
async function makeCluster(directory: string): Promise<void> {
  const parent = path.dirname(directory)
  await removeUnfinished(parent)
  if (await hasCluster(directory)) return

  const unfinished = await fs.mkdtemp(path.join(parent, UNFINISHED))
  await initialise(unfinished)
  await fs.rename(unfinished, directory)
  syncDirectory(parent)
}

/** What a killed first start left. The process that was at it may still write, so what cannot go now goes later. */
async function removeUnfinished(parent: string): Promise<void> {
  const names = (await fs.readdir(parent)).filter((name) => name.startsWith(UNFINISHED))
  const remove = (name: string) => fs.rm(path.join(parent, name), { recursive: true, force: true })
  await Promise.allSettled(names.map(remove))
}

/** In a process of its own, which ends with this one: the channel between them is how it knows. */
async function initialise(directory: string): Promise<void> {
  const module = new URL('./pglite-init.js', import.meta.url)
  const child = fork(module, [directory], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let said = ''
  child.stderr?.on('data', (bytes) => (said += bytes))
  const [code, signal] = await once(child, 'close')
  if (code === 0) return
  throw new Error(`The embedded database could not be made in ${directory} (${signal ?? code}). ${said.trim()}`)
}

async function hasCluster(directory: string): Promise<boolean> {
  const version = await fs.readFile(path.join(directory, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version?.trim() === POSTGRES_MAJOR) return true
  if (version !== undefined) {
    throw new Error(
      `The database in ${directory} is of PostgreSQL ${version.trim()}, and this program reads ` +
        `${POSTGRES_MAJOR}. Start the program that made it, export its contents, and import them here.`,
    )
  }
  const entries = await fs.readdir(directory).catch(() => [])
  if (entries.length === 0) return false
  throw new Error(
    `The folder ${directory} is not empty and holds no database. Name another --data-dir, or move the folder away.`,
  )
}
