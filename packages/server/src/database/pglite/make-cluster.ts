import { fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { volumeOf } from '../../space/free-space.ts'
import { syncFolder, syncTree } from './sync-files.js'

/** The major version inside the pinned PGlite; a folder of another one needs a backup and a restore. */
const POSTGRES_MAJOR = '18'

/** The size of an empty database, and the free space it needs to begin. */
const CLUSTER_BYTES = 64 * 1024 * 1024
const UNFINISHED = 'database-unfinished-'

/**
 * Creates the cluster unless it exists: next to its place, then renamed as a whole, so that a kill leaves all
 * of it or nothing.
 */
export async function makeCluster(directory: string): Promise<void> {
  const parent = path.dirname(directory)
  await removeUnfinished(parent)
  if (await hasCluster(directory)) return

  await needRoom(parent)
  const unfinished = await fs.mkdtemp(path.join(parent, UNFINISHED))
  try {
    await initialise(unfinished)
    await fs.rename(unfinished, directory)
  } catch (error) {
    await fs.rm(unfinished, { recursive: true, force: true })
    throw error
  }
  syncFolder(parent)
}

async function needRoom(parent: string): Promise<void> {
  const { free } = await volumeOf(parent)
  if (free < CLUSTER_BYTES)
    throw Object.assign(new Error('There is no room for an empty database.'), { code: 'ENOSPC' })
}

/**
 * Removes leftovers of a killed first start. The process may still be writing, so what cannot be removed now
 * is removed later.
 */
async function removeUnfinished(parent: string): Promise<void> {
  const names = (await fs.readdir(parent)).filter((name) => name.startsWith(UNFINISHED))
  const remove = (name: string) => fs.rm(path.join(parent, name), { recursive: true, force: true })
  await Promise.allSettled(names.map(remove))
}

/**
 * A build contains a cluster with the schema of its program and no rows: copying it takes a tenth of the time and
 * memory of creating one.
 */
async function initialise(directory: string): Promise<void> {
  const prepared = fileURLToPath(new URL('./empty-database', import.meta.url))
  if ((await clusterVersion(prepared)) !== POSTGRES_MAJOR) return initialiseByProcess(directory)
  const folders = JSON.parse(await fs.readFile(`${prepared}.json`, 'utf8')) as string[]
  for (const folder of folders) await fs.mkdir(path.join(directory, folder), { recursive: true })
  await copyFiles(prepared, directory)
  await syncTree(directory)
}

/** All at once, which `fs.cp` does one by one. */
async function copyFiles(from: string, to: string): Promise<void> {
  const entries = await fs.readdir(from, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(from, path.join(entry.parentPath, entry.name)))
  await Promise.all(files.map((file) => fs.copyFile(path.join(from, file), path.join(to, file))))
}

/** The child ends with this process, which it notices by the channel between them. */
async function initialiseByProcess(directory: string): Promise<void> {
  const module = new URL('./pglite-init.js', import.meta.url)
  const child = fork(module, [directory], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let said = ''
  child.stderr?.on('data', (bytes) => (said += bytes))
  const [code, signal] = await once(child, 'close')
  if (code === 0) return
  throw new Error(
    `The embedded database could not be made in ${directory} (${signal ?? code}). ${said.trim()}`,
  )
}

async function clusterVersion(directory: string): Promise<string | undefined> {
  const version = await fs.readFile(path.join(directory, 'PG_VERSION'), 'utf8').catch(() => undefined)
  return version?.trim()
}

async function hasCluster(directory: string): Promise<boolean> {
  const version = await clusterVersion(directory)
  if (version === POSTGRES_MAJOR) return true
  if (version !== undefined) {
    throw new Error(
      `The database in ${directory} is of PostgreSQL ${version}, and this program reads ` +
        `${POSTGRES_MAJOR}. Back it up with the program that made it (gantry backup), and restore that here.`,
    )
  }
  const entries = await fs.readdir(directory).catch(() => [])
  if (entries.length === 0) return false
  throw new Error(
    `The folder ${directory} is not empty and holds no database. Name another --data-dir, or move the folder away.`,
  )
}
