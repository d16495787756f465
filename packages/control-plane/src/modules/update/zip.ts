import { updateArchiveLimits } from '@gantry/api/system/update.rules'
import { configure, type Entry, Reader, ZipReader } from '@zip.js/zip.js'
import { Refusal } from '../../context/refusal.ts'

// Uses the platform's inflate; a worker would need a file of its own.
configure({ useWebWorkers: false, chunkSize: 256 * 1024 })

/** The bytes of an archive, in any storage. */
export interface Source {
  size: number
  read: (offset: number, length: number) => Promise<Uint8Array>
}

class SourceReader extends Reader<Source> {
  readonly #source: Source
  constructor(source: Source) {
    super(source)
    this.#source = source
    this.size = source.size
  }
  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    // Only the directory is read as a whole.
    if (length > updateArchiveLimits.directoryBytes)
      throw notZip(`its directory is larger than ${updateArchiveLimits.directoryBytes} bytes`)
    const pieces = await this.#source.read(index, Math.min(length, this.size - index))
    return pieces
  }
}

/**
 * The files of an archive, by path. Refuses anything that two programs could read differently: paths that leave the
 * folder, duplicate names, bytes before or after the archive.
 */
export async function openArchive(source: Source): Promise<ReadonlyMap<string, Entry>> {
  const files = new Map<string, Entry>()
  try {
    const reader = new ZipReader(new SourceReader(source), { strictness: 'strict' })
    for await (const entry of reader.getEntriesGenerator()) {
      if (files.size === updateArchiveLimits.entries)
        throw notZip(`it has more than ${updateArchiveLimits.entries} files`)
      if (entry.rawFilename.length > updateArchiveLimits.nameBytes)
        throw notZip('the name of a file is too long')
      if (entry.filename.includes('\\'))
        throw notZip(`the name ${JSON.stringify(entry.filename)} is not allowed`)
      if (entry.encrypted) throw notZip(`file ${JSON.stringify(entry.filename)} is encrypted`)
      if (!entry.directory) files.set(entry.filename, entry)
    }
  } catch (error) {
    throw explained(error)
  }
  return files
}

export const entryNames = (entries: ReadonlyMap<string, Entry>): string[] => [...entries.keys()]

/** Unpacks a file piece by piece, and stops as soon as it exceeds `max` bytes. Returns its size. */
export async function unpack(entry: Entry, max: number, take: (piece: Uint8Array) => void): Promise<number> {
  if (entry.directory) throw notZip(`${entry.filename} is a folder`)
  let size = 0
  const writable = new WritableStream<Uint8Array>({
    write(piece) {
      size += piece.length
      if (size > max) throw notZip(`file ${entry.filename} is larger than ${max} bytes`)
      take(piece)
    },
  })
  try {
    await entry.getData(writable, { checkSignature: true, strictness: 'strict' } as object)
  } catch (error) {
    throw explained(error)
  }
  return size
}

/** The library's errors have short English messages; those of the store pass through. */
function explained(error: unknown): unknown {
  if (error instanceof Refusal || !(error instanceof Error) || 'code' in error) return error
  return notZip(error.message.toLowerCase())
}

const notZip = (why: string): Refusal =>
  new Refusal(undefined, `invalid repository: not a zip archive that can be accepted: ${why}`, {
    help: 'Upload an intact repository of its publisher.',
  })
