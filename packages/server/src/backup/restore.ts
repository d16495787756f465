import fs from 'node:fs/promises'
import path from 'node:path'
import { CannotLoad, dropSchema, load, needEmpty } from '@gantry/control-plane/db/load'
import type { RowBatch } from '@gantry/control-plane/db/dump'
import type { Tables } from '@gantry/control-plane/db/tables'
import { Kysely } from 'kysely'
import { syncFolder } from '../blocks/block-files-io.ts'
import { lockDataDir } from '../database/data-dir-lock.ts'
import { type DatabaseLocation, openDatabase } from '../database/open.ts'
import { syncTree } from '../database/pglite/sync-files.js'
import { fleetFolder } from '../fleet/qemu/host/folders.ts'
import { isFull } from '../space/full-volume.ts'
import { readArchive, type Verified, verifyArchive } from './archive-reader.ts'
import { needEmptyDataDir } from './empty-data-dir.ts'
import type { Read } from './format.ts'
import { filling, Problem, reachable, sentence } from '../problem.ts'
import { inMB, progress } from './progress.ts'
import { type RestoredTo, restoredObjects } from './restored-objects.ts'
import { intoOf, isComplete, markUnfinished, unfinishedRestore, unmark, WORK } from './unfinished-restore.ts'

export interface RestoreOptions {
  file: string
  dataDir: string
  database: string | undefined
  /** For an encrypted file. */
  passphrase?: string | undefined
  /** When aborted, the restore leaves nothing behind. */
  signal: AbortSignal
}

/**
 * Restores a backup into an empty data directory and an empty database. Everything is verified before
 * anything is written, and committed in one step at the end: the rename of the embedded database, or the
 * commit on PostgreSQL.
 */
export async function restore({
  file,
  dataDir,
  database,
  passphrase,
  signal,
}: RestoreOptions): Promise<Verified> {
  const shown = progress()
  const report = (what: string) => (bytes: number) => {
    signal.throwIfAborted()
    shown.say(() => `${what}: ${inMB(bytes)}`)
  }
  try {
    const verified = await verifyArchive(file, report('checking'), passphrase)
    const directory = path.resolve(dataDir)
    await filling(directory, async () => {
      await fs.mkdir(directory, { recursive: true, mode: 0o700 })
      // Also with an external database: two concurrent restores would mix their disks.
      const lock = await sentence(lockDataDir(directory))
      try {
        const reading = readArchive(file, report('restoring'), passphrase)
        await restoreInto(directory, database, file, verified, reading)
      } finally {
        await lock.release()
      }
    })
    return verified
  } catch (error) {
    throw asProblem(error, file)
  } finally {
    shown.end()
  }
}

/** Database messages repeat rows, so only the error code is reported. */
export function asProblem(error: unknown, file: string): unknown {
  if (error instanceof CannotLoad) return new Problem(error.message, { cause: error })
  const { code = '', severity } = error as { code?: string; severity?: string }
  if (severity === undefined) return reachable(error)
  return new Problem(refusal(error, code, file), { cause: error })
}

/** SQLSTATE classes that concern the rows themselves: data exceptions, and violated constraints. */
const ofRows = /^2[23]/

function refusal(error: unknown, code: string, file: string): string {
  if (isFull(error)) {
    return (
      `The volume of the database is full (${code}). Nothing was restored, and the backup is whole: make room there, ` +
      'and restore again.'
    )
  }
  return ofRows.test(code)
    ? `The database refused what is in ${file} (${code}). Nothing was restored; restore another backup.`
    : `The database could not take what is in ${file} (${code}). Nothing was restored, and the backup is whole: see to ` +
        'the database, and restore again.'
}

async function restoreInto(
  dataDir: string,
  url: string | undefined,
  file: string,
  { manifest, totals }: Verified,
  reading: AsyncGenerator<Read>,
): Promise<void> {
  const location: DatabaseLocation = url === undefined ? { dataDir } : { url }
  await clearUnfinished(dataDir, location)
  await needEmptyDataDir(dataDir)
  await needSpace(dataDir, totals.bytes)
  if ('url' in location) await needEmptyDatabase(location)

  await markUnfinished(dataDir, { id: manifest.id, file: path.resolve(file), into: intoOf(location) })
  const work = path.join(dataDir, WORK)
  try {
    await fs.mkdir(work, { mode: 0o700 })
    await fill(work, location, manifest, reading)
    if (url === undefined) {
      await syncTree(path.join(work, 'database'))
      await fs.rename(path.join(work, 'database'), path.join(dataDir, 'database'))
      await syncFolder(dataDir)
    }
  } catch (error) {
    // A failure leaves nothing behind; a kill leaves the marker, by which the next restore cleans up.
    if (!(await isComplete(location, { id: manifest.id, file, into: intoOf(location) }).catch(() => true))) {
      await removeRestored(dataDir)
      await unmark(dataDir)
    }
    throw error
  }
  await unmark(dataDir)
}

/** Inserts all rows in one transaction; the bytes are moved to their place before it commits. */
async function fill(
  work: string,
  location: DatabaseLocation,
  { id, migrations }: Verified['manifest'],
  reading: AsyncGenerator<Read>,
): Promise<void> {
  const { dialect, close } = await sentence(openDatabase('url' in location ? location : { dataDir: work }))
  try {
    const db = new Kysely<Tables>({ dialect })
    if ('dataDir' in location) await dropSchema(db)
    const { rows, rest } = split(reading)
    await load(db, { id, migrations }, rows, async () => {
      const [from, to] = [foldersIn(work), foldersIn(path.dirname(work))]
      const hasFleet = await restoreObjects(from, rest())
      await fs.rename(from.blocks, to.blocks)
      if (hasFleet) await fs.rename(from.fleet, to.fleet)
      await syncFolder(path.dirname(work))
    })
  } finally {
    await close()
  }
}

/** Rows come first in a backup; the rest is read once all of them are in. */
function split(reading: AsyncGenerator<Read>): {
  rows: AsyncIterable<RowBatch>
  rest: () => AsyncGenerator<Read>
} {
  let first: Read | undefined
  async function* rows(): AsyncGenerator<RowBatch> {
    for (;;) {
      const { done, value } = await reading.next()
      if (done) return
      if (value.kind !== 'rows') return void (first = value)
      yield value.batch
    }
  }
  async function* rest(): AsyncGenerator<Read> {
    if (first) yield first
    yield* reading
  }
  return { rows: rows(), rest }
}

/** Whether there is a fleet of real machines. */
async function restoreObjects(to: RestoredTo, reading: AsyncGenerator<Read>): Promise<boolean> {
  const objects = await restoredObjects(to)
  try {
    for await (const read of reading) {
      if (read.kind === 'fleet') await objects.fleet(read.head)
      else if (read.kind === 'object') await objects.object(read.head)
      else if (read.kind === 'piece') await objects.piece(read.chunk, read.bytes)
      else throw new Problem('The backup contains rows after its disks, which this version does not support.')
    }
    return await objects.finish()
  } finally {
    await objects.close()
  }
}

/** Removes leftovers of an earlier restore, unless it completed or targets another database. */
async function clearUnfinished(dataDir: string, location: DatabaseLocation): Promise<void> {
  const unfinished = await unfinishedRestore(dataDir)
  if (!unfinished) return
  if (await sentence(isComplete(location, unfinished))) return unmark(dataDir)
  if (unfinished.into !== '' && unfinished.into !== intoOf(location)) {
    throw new Problem(
      `An unfinished restore into ${unfinished.into} lies in ${dataDir}. Finish that one, or name another --data-dir.`,
    )
  }
  await removeRestored(dataDir)
  await fs.rm(path.join(dataDir, WORK), { recursive: true, force: true })
}

async function removeRestored(dataDir: string): Promise<void> {
  for (const folder of Object.values(foldersIn(dataDir)))
    await fs.rm(folder, { recursive: true, force: true })
}

const foldersIn = (dataDir: string): RestoredTo => ({
  blocks: path.join(dataDir, 'blocks'),
  fleet: fleetFolder(dataDir),
})

async function needEmptyDatabase(location: DatabaseLocation): Promise<void> {
  const { dialect, close } = await sentence(openDatabase(location))
  try {
    await needEmpty(new Kysely<Tables>({ dialect }))
  } finally {
    await close()
  }
}

async function needSpace(dataDir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await fs.statfs(dataDir)
  if (bavail * bsize >= bytes) return
  throw new Problem(
    `There is not enough space in ${dataDir}: the backup needs ${inMB(bytes)}, and ${inMB(bavail * bsize)} are free. ` +
      'Free space, or name another --data-dir.',
  )
}
