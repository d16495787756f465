import fs from 'node:fs/promises'
import path from 'node:path'
import type { Tables } from '@gantry/control-plane/db/tables'
import { Kysely } from 'kysely'
import { type DatabaseLocation, openDatabase } from '../database/open.ts'
import { copyOfRunning } from '../database/pglite/database-copies.ts'
import { openPglite } from '../database/pglite/open-pglite.ts'
import { Problem } from '../problem.ts'

/** A database to read, as of its opening or as of the reading transaction. */
export interface Source {
  db: Kysely<Tables>
  /** Throws the reason once it can no longer be read. */
  check: () => void
  close: () => Promise<void>
}

/** A PostgreSQL server, an unused embedded database, or a copy made by the server that uses it. */
export async function openSource(location: DatabaseLocation, signal?: AbortSignal): Promise<Source> {
  if ('url' in location) return opened(await openDatabase(location))
  const copy = await copyOfRunning(location.dataDir, signal)
  if (!copy) {
    await needOwnDatabase(location.dataDir, process.getuid?.())
    return opened(await openDatabase(location))
  }
  try {
    const source = opened(await openPglite({ dataDir: copy.folder, onCrash: () => {} }))
    return { ...source, check: copy.check, close: () => source.close().finally(copy.release) }
  } catch (error) {
    copy.release()
    throw error
  }
}

/** Refuses places without a Gantry installation, before creating anything in them. */
export async function requireInstallation(location: DatabaseLocation, blocks: string): Promise<void> {
  if ('dataDir' in location && !(await isThere(path.join(location.dataDir, 'database', 'PG_VERSION')))) {
    throw new Problem(
      `There is no database in ${location.dataDir}. Name the --data-dir or the --database of the server.`,
    )
  }
  if (await isThere(blocks)) return
  throw new Problem(`There is no folder ${blocks}, where disks are kept. Name the --data-dir of the server.`)
}

/** Whether such a file exists, as far as the caller may know. */
export const isThere = (file: string): Promise<boolean> =>
  fs.stat(file).then(
    () => true,
    (error: unknown) => absent(file, error),
  )

/** A file that cannot be inspected may still exist. */
export function absent(file: string, cause: unknown): false {
  const { code = '', message } = cause as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return false
  throw new Problem(`${file} cannot be read (${message}). Run this as the user whom it belongs to.`, {
    cause,
  })
}

/** Opening writes files, and files owned by root would lock out the database's own server. */
export async function needOwnDatabase(dataDir: string, uid: number | undefined): Promise<void> {
  const directory = path.join(dataDir, 'database')
  const { uid: owner } = await fs.stat(directory)
  if (uid !== 0 || owner === 0) return
  throw new Problem(
    `${directory} belongs to user ${owner}, whose server could not use what root writes into it. Run this as its ` +
      `owner (sudo -u '#${owner}' …).`,
  )
}

function opened({
  dialect,
  close,
}: Pick<Awaited<ReturnType<typeof openDatabase>>, 'dialect' | 'close'>): Source {
  return { db: new Kysely<Tables>({ dialect }), check: () => {}, close }
}
