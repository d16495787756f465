import fs from 'node:fs/promises'
import path from 'node:path'
import type { Tables } from '@gantry/control-plane/db/tables'
import { isLoaded } from '@gantry/control-plane/db/load'
import { Kysely } from 'kysely'
import { isMissing, syncFolder } from '../blocks/block-files-io.ts'
import { lockHolder } from '../database/data-dir-lock.ts'
import { type DatabaseLocation, openDatabase } from '../database/open.ts'
import { Problem } from '../problem.ts'

/** Exists in a data directory from before the first byte of a restore until after its last. */
const MARKER = 'restore-unfinished.json'
/** A restore is prepared in this folder, and moved to its place as a whole. */
export const WORK = 'restore-unfinished'

export interface Unfinished {
  /** The backup's id. */
  id: string
  file: string
  /** The target database, without its password. */
  into: string
}

/** The leftovers of an interrupted restore; undefined if there are none. */
export async function unfinishedRestore(dataDir: string): Promise<Unfinished | undefined> {
  try {
    return JSON.parse(await fs.readFile(path.join(dataDir, MARKER), 'utf8')) as Unfinished
  } catch (error) {
    if (isMissing(error)) return undefined
    if (error instanceof SyntaxError) return { id: '', file: 'a backup', into: '' }
    throw error
  }
}

export async function markUnfinished(dataDir: string, unfinished: Unfinished): Promise<void> {
  const file = await fs.open(path.join(dataDir, MARKER), 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(unfinished))
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dataDir)
}

/** The marker is removed last: until then the rest may be incomplete. */
export async function unmark(dataDir: string): Promise<void> {
  await fs.rm(path.join(dataDir, WORK), { recursive: true, force: true })
  await fs.rm(path.join(dataDir, MARKER), { force: true })
  await syncFolder(dataDir)
}

export function intoOf(location: DatabaseLocation): string {
  if ('dataDir' in location) return 'the embedded database'
  const { host, pathname } = new URL(location.url)
  return `${host}${pathname}`
}

/**
 * Whether the restore completed: the database comes last, in one step, so after that only the marker can
 * remain.
 */
export async function isComplete(location: DatabaseLocation, { id, into }: Unfinished): Promise<boolean> {
  if (into !== intoOf(location)) return false
  if ('dataDir' in location) {
    return fs.stat(path.join(location.dataDir, 'database')).then(
      () => true,
      () => false,
    )
  }
  const { dialect, close } = await openDatabase(location)
  try {
    return await isLoaded(new Kysely<Tables>({ dialect }), id)
  } finally {
    await close()
  }
}

/** Keeps a server from starting on an incomplete restore. */
export async function needNoUnfinishedRestore(dataDir: string, location: DatabaseLocation): Promise<void> {
  const unfinished = await unfinishedRestore(dataDir)
  if (!unfinished) return
  const restoring = await lockHolder(dataDir)
  if (restoring) {
    throw new Problem(
      `A restore of ${unfinished.file} into ${dataDir} is running (process ${restoring.pid}). Wait until it ends, and start again.`,
    )
  }
  if (await isComplete(location, unfinished)) return unmark(dataDir)
  throw new Problem(
    `A restore of ${unfinished.file} into ${unfinished.into} and ${dataDir} did not come to its end. Run gantry restore ` +
      'again, or remove the data directory to begin with nothing.',
  )
}
