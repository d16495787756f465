import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { dump, type DumpFacts } from '@gantry/control-plane/db/dump'
import type { DatabaseLocation } from '../database/open.ts'
import { type ArchiveWriter, refuseExisting, writeArchive } from './archive-writer.ts'
import { FORMAT, json, names, type ObjectHead, type Totals } from './format.ts'
import { type HeldBlocks, holdBlocks, type ReadObject } from './held-blocks.ts'
import { type HeldVolumes, holdVolumes } from './held-volumes.ts'
import { Problem, reachable, sentence } from '../problem.ts'
import { inMB, progress } from './progress.ts'
import { requireInstallation, openSource, type Source } from './source.ts'

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
  /** Those of them whose bytes must exist. */
  lost: number
}

type Counts = Omit<Totals, 'sha256'>

/**
 * Writes the rows at one point in time, and the bytes that they refer to. A server may run meanwhile:
 * complete objects no longer change, and a disk or upload being written has at least what it had. The disk of a real
 * machine is as it was at one point in time after the rows, as after a power cut.
 */
export async function backUp(options: BackupOptions): Promise<BackedUp> {
  const { dataDir, database } = options
  const location: DatabaseLocation = database === undefined ? { dataDir } : { url: database }
  const folder = path.join(dataDir, 'blocks')
  await refuseExisting(options.file)
  await requireInstallation(location, folder)
  const blocks = await holdBlocks(folder)
  try {
    const volumes = await holdVolumes(dataDir, options.signal)
    try {
      // Held before the rows are read: anything removed later remains available.
      await blocks.hold()
      return await write(location, blocks, volumes, options)
    } finally {
      await volumes.release()
    }
  } finally {
    await blocks.release()
  }
}

async function write(
  location: DatabaseLocation,
  blocks: HeldBlocks,
  volumes: HeldVolumes,
  { file, dataDir, version, passphrase, signal }: BackupOptions,
): Promise<BackedUp> {
  const counts: Counts = { rows: {}, objects: 0, bytes: 0 }
  const shown = progress()
  let archive: ArchiveWriter | undefined
  try {
    let lost = 0
    const begin = async ({ migrations, finished }: DumpFacts): Promise<ArchiveWriter> => {
      if (migrations.length === 0) {
        throw new Problem('The database does not belong to Gantry. Name the --database of the server.')
      }
      lost = await countLost(finished, blocks, volumes)
      if (lost > 0 && lost === finished.size) throw new Problem(lostSentence(lost, dataDir))
      const made = { version, id: randomUUID(), time: new Date().toISOString(), migrations }
      return (archive = await writeArchive(file, { format: FORMAT, product: 'gantry', ...made }, passphrase))
    }
    const source = await sentence(openSource(location, signal))
    const { contents, writer } = await writeRows(source, blocks, begin, counts, () => {
      signal.throwIfAborted()
      shown.say(() => `rows: ${sum(counts.rows)}`)
    })
    if (volumes.host !== undefined) await writer.add(names.fleet, json({ host: volumes.host }))
    const writing = objectWriter(writer, counts, () => {
      signal.throwIfAborted()
      shown.say(
        () => `disks, snapshots and images: ${counts.objects} of ${contents.size}, ${inMB(counts.bytes)}`,
      )
    })
    for (const id of [...contents].sort()) {
      if (blocks.has(id)) await blocks.read(id, ...writing({ id }))
      else if (await volumes.has(id)) await volumes.read(id, ...writing({ id, isVolume: true }))
    }
    await writer.finish(counts)
    const { objects, bytes } = counts
    return { rows: sum(counts.rows), objects, bytes, without: contents.size - objects, lost }
  } catch (error) {
    await archive?.abandon()
    throw reachable(error)
  } finally {
    shown.end()
  }
}

/** Counted right after the rows are fixed, so that what is deleted later is not among them. */
async function countLost(
  finished: ReadonlySet<string>,
  blocks: HeldBlocks,
  volumes: HeldVolumes,
): Promise<number> {
  let lost = 0
  for (const id of finished) if (!blocks.has(id) && !volumes.had(id) && !(await volumes.has(id))) lost += 1
  return lost
}

export const lostSentence = (lost: number, dataDir: string): string =>
  `The bytes of ${lost} finished disks, snapshots and images were not found. Check that ` +
  `${path.join(dataDir, 'blocks')} is the right folder, and mounted.`

/** The database is closed as soon as its rows are read: bytes may take hours. */
async function writeRows(
  source: Source,
  blocks: HeldBlocks,
  begin: (facts: DumpFacts) => Promise<ArchiveWriter>,
  counts: Counts,
  moved: () => void,
): Promise<{ contents: Set<string>; writer: ArchiveWriter }> {
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

/** Writes an object while it is read: its head, and its pieces. */
const objectWriter =
  (writer: ArchiveWriter, counts: Counts, moved: () => void) =>
  (object: Omit<ObjectHead, 'size'>): [head: Parameters<ReadObject>[1], piece: Parameters<ReadObject>[2]] => [
    async (size) => {
      moved()
      counts.objects += 1
      await writer.add(names.object(counts.objects), json({ ...object, size } satisfies ObjectHead))
    },
    async (chunk, bytes) => {
      await writer.add(names.piece(counts.objects, chunk), bytes)
      counts.bytes += bytes.length
      moved()
    },
  ]

const sum = (rows: Record<string, number>): number => Object.values(rows).reduce((all, one) => all + one, 0)
