import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { dump, type DumpFacts } from '@gantry/control-plane/db/dump'
import type { DatabaseLocation } from '../database/open.ts'
import { type ArchiveWriter, refuseExisting, writeArchive } from './archive-writer.ts'
import { FORMAT, json, names, type ObjectHead, type Totals } from './format.ts'
import { type HeldBlocks, holdBlocks } from './held-blocks.ts'
import { Problem } from './problem.ts'
import { inMB, progress } from './progress.ts'
import { requireInstallation, openSource } from './source.ts'

export interface BackupOptions {
  file: string
  dataDir: string
  database: string | undefined
  version: string
  /** Encrypts the file, if given. */
  passphrase?: string | undefined
  /** When aborted, the backup leaves nothing behind. */
  signal: AbortSignal
}

export interface BackedUp {
  rows: number
  objects: number
  bytes: number
  /** Objects that rows refer to but that do not exist, such as those of disks still being created. */
  without: number
}

type Counts = Omit<Totals, 'sha256'>

/**
 * Writes the rows at one point in time, and the bytes that they refer to. A server may run meanwhile:
 * complete objects no longer change, and a disk or upload being written has at least what it had.
 */
export async function backUp(options: BackupOptions): Promise<BackedUp> {
  const { dataDir, database } = options
  const location: DatabaseLocation = database === undefined ? { dataDir } : { url: database }
  const folder = path.join(dataDir, 'blocks')
  await refuseExisting(options.file)
  await requireInstallation(location, folder)
  const blocks = await holdBlocks(folder)
  try {
    // Held before the rows are read: anything removed later remains available.
    await blocks.hold()
    return await write(location, blocks, options)
  } finally {
    await blocks.release()
  }
}

async function write(
  location: DatabaseLocation,
  blocks: HeldBlocks,
  { file, version, passphrase, signal }: BackupOptions,
): Promise<BackedUp> {
  const counts: Counts = { rows: {}, objects: 0, bytes: 0 }
  const shown = progress()
  let archive: ArchiveWriter | undefined
  try {
    const begin = async ({ migrations }: DumpFacts): Promise<ArchiveWriter> => {
      if (migrations.length === 0) {
        throw new Problem('The database does not belong to Gantry. Name the --database of the server.')
      }
      const made = { version, id: randomUUID(), time: new Date().toISOString(), migrations }
      return (archive = await writeArchive(file, { format: FORMAT, product: 'gantry', ...made }, passphrase))
    }
    const { contents, writer } = await writeRows(location, blocks, begin, counts, () => {
      signal.throwIfAborted()
      shown.say(() => `rows: ${sum(counts.rows)}`)
    })
    const there = [...contents].filter((id) => blocks.has(id)).sort()
    for (const [index, id] of there.entries()) {
      await writeObject(writer, blocks, index + 1, id, counts, () => {
        signal.throwIfAborted()
        shown.say(() => `disks, snapshots and images: ${index + 1} of ${there.length}, ${inMB(counts.bytes)}`)
      })
    }
    await writer.finish(counts)
    const { objects, bytes } = counts
    return { rows: sum(counts.rows), objects, bytes, without: contents.size - there.length }
  } catch (error) {
    await archive?.abandon()
    throw error
  } finally {
    shown.end()
  }
}

/** The database is closed as soon as its rows are read: bytes may take hours. */
async function writeRows(
  location: DatabaseLocation,
  blocks: HeldBlocks,
  begin: (facts: DumpFacts) => Promise<ArchiveWriter>,
  counts: Counts,
  moved: () => void,
): Promise<{ contents: Set<string>; writer: ArchiveWriter }> {
  const source = await sentence(openSource(location))
  const numbers = new Map<string, number>()
  let begun: { contents: Set<string>; writer: ArchiveWriter } | undefined
  try {
    await dump(
      source.db,
      async (facts) => {
        // Holds whatever was created between the first hold and the snapshot of the rows.
        await blocks.hold()
        begun = { contents: facts.contents, writer: await begin(facts) }
      },
      async (batch) => {
        source.check()
        const number = (numbers.get(batch.table) ?? 0) + 1
        numbers.set(batch.table, number)
        await begun?.writer.add(names.rows(batch.table, number), json(batch))
        counts.rows[batch.table] = (counts.rows[batch.table] ?? 0) + batch.rows.length
        moved()
      },
    )
  } catch (error) {
    // If its files are gone, any other error is only a consequence.
    await sentence(Promise.resolve().then(source.check))
    throw error
  } finally {
    await source.close()
  }
  if (!begun) throw new Error('the database was read without a beginning')
  return begun
}

async function writeObject(
  writer: ArchiveWriter,
  blocks: HeldBlocks,
  number: number,
  id: string,
  counts: Counts,
  moved: () => void,
): Promise<void> {
  await blocks.read(
    id,
    async (size) => {
      const head: ObjectHead = { id, size }
      await writer.add(names.object(number), json(head))
      counts.objects += 1
    },
    async (chunk, bytes) => {
      await writer.add(names.piece(number, chunk), bytes)
      counts.bytes += bytes.length
      moved()
    },
  )
}

/** Errors from opening a database are meant for operators. */
export async function sentence<T>(step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (cause) {
    throw cause instanceof Problem ? cause : new Problem((cause as Error).message, { cause })
  }
}

const sum = (rows: Record<string, number>): number => Object.values(rows).reduce((all, one) => all + one, 0)
