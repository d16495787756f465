import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { CannotLoad, checkMigrations } from '@gantry/control-plane/db/load'
import { decrypted } from './encryption.ts'
import {
  FORMAT,
  type Manifest,
  MAX_ENTRY,
  Misshapen,
  names,
  parsed,
  type Read,
  readEntry,
  readManifest,
  type Totals,
} from './format.ts'
import { Problem } from '../problem.ts'
import { DamagedTar, type Entry, readTar, tarEntry } from './tar.ts'

export interface Verified {
  manifest: Manifest
  totals: Totals
}

/** Reads a whole backup, and refuses one that is incomplete or not for this program. */
export async function verifyArchive(
  file: string,
  onBytes: (read: number) => void,
  passphrase?: string,
): Promise<Verified> {
  const hash = createHash('sha256')
  let manifest: Manifest | undefined
  let totals: Totals | undefined
  let digest = ''
  const found: Omit<Totals, 'sha256'> = { rows: {}, objects: 0, bytes: 0 }
  await eachEntry(entriesOf(file, onBytes, passphrase), file, (entry) => {
    if (totals) throw new Misshapen('there is something after its end')
    if (!manifest) manifest = needManifest(entry)
    if (entry.name === names.totals) {
      digest = hash.copy().digest('hex')
      totals = parsed(entry.bytes) as unknown as Totals
      return
    }
    hash.update(tarEntry(entry.name, entry.bytes, new Date(manifest.time)))
    if (entry.name !== names.manifest) count(found, needRead(entry))
  })
  if (!manifest || !totals) throw damaged(file, 'it has no end')
  const { sha256, ...counted } = totals
  if (digest !== sha256) throw damaged(file, 'its checksum is another')
  if (JSON.stringify(counted) !== JSON.stringify(found)) throw damaged(file, 'its counts are others')
  return { manifest, totals }
}

/** The contents of a verified backup, in order: rows, then the fleet if it is a real one, then objects, each followed by its pieces. */
export async function* readArchive(
  file: string,
  onBytes: (read: number) => void,
  passphrase?: string,
): AsyncGenerator<Read> {
  try {
    for await (const entry of entriesOf(file, onBytes, passphrase))
      if (entry.name !== names.manifest && entry.name !== names.totals) yield needRead(entry)
  } catch (cause) {
    throw explain(file, cause, undefined)
  }
}

/** A failure is reported with the name of the entry, whether reading or parsing failed. */
async function eachEntry(
  entries: AsyncIterable<Entry>,
  file: string,
  look: (entry: Entry) => void,
): Promise<void> {
  let last: string | undefined
  try {
    for await (const entry of entries) {
      last = entry.name
      look(entry)
    }
  } catch (cause) {
    throw explain(file, cause, last)
  }
}

async function* entriesOf(
  file: string,
  onBytes: (read: number) => void,
  passphrase: string | undefined,
): AsyncGenerator<Entry> {
  await needFile(file)
  const source = createReadStream(file)
  const gunzip = createGunzip()
  source.on('error', (error) => gunzip.destroy(error))
  try {
    const plain = await decrypted(file, source, passphrase)
    plain.on('error', (error) => gunzip.destroy(error))
    for await (const entry of readTar(plain.pipe(gunzip), MAX_ENTRY)) {
      onBytes(source.bytesRead)
      yield entry
    }
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

/** Deliberate errors and those of the disk are passed on. All others mean that the bytes have changed. */
function explain(file: string, cause: unknown, last: string | undefined): unknown {
  const { code = '', message } = cause as NodeJS.ErrnoException
  if (cause instanceof Problem || cause instanceof CannotLoad || cause instanceof DOMException) return cause
  if (code === 'Z_BUF_ERROR') return damaged(file, `it ends too early${after(last)}`, cause)
  const isKnown = code.startsWith('Z_') || cause instanceof DamagedTar || cause instanceof Misshapen
  if (isKnown) return damaged(file, `${message}${after(last)}`, cause)
  if (typeof (cause as NodeJS.ErrnoException).errno === 'number') return cause
  return damaged(file, `it cannot be read${after(last)}`, cause)
}

/** How far the archive was readable, unless the last entry's name is damaged too. */
const after = (last: string | undefined): string =>
  last !== undefined && /^[\w./-]+$/.test(last) ? ` (at ${last})` : ''

const damaged = (file: string, why: string, cause?: unknown): Problem =>
  new Problem(
    `${file} is no whole backup of Gantry: ${why}. Nothing was restored; restore another backup, or another copy of this one.`,
    { cause },
  )

function needManifest({ name, bytes }: Entry): Manifest {
  if (name !== names.manifest) throw new Misshapen('it does not begin like one')
  const manifest = readManifest(bytes)
  if (manifest.format > FORMAT) {
    throw new Problem(
      `The backup is of a newer version, Gantry ${manifest.version}. Restore it with that version or a newer one.`,
    )
  }
  checkMigrations(manifest.migrations, manifest.version)
  return manifest
}

function needRead({ name, bytes }: Entry): Read {
  const read = readEntry(name, bytes)
  if (!read) throw new Misshapen('it contains an unknown entry')
  return read
}

function count(found: Omit<Totals, 'sha256'>, read: Read): void {
  if (read.kind === 'rows') {
    const { table, rows } = read.batch
    found.rows[table] = (found.rows[table] ?? 0) + rows.length
  } else if (read.kind === 'object') found.objects += 1
  else if (read.kind === 'piece') found.bytes += read.bytes.length
}

async function needFile(file: string): Promise<void> {
  const stat = await fs.stat(file).catch((cause: NodeJS.ErrnoException) => {
    const why =
      cause.code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${cause.message}).`
    throw new Problem(`${why} Name a file that gantry backup wrote.`, { cause })
  })
  if (!stat.isFile()) throw new Problem(`${file} is no file. Name one that gantry backup wrote.`)
  await fs.access(file, fs.constants.R_OK).catch((cause: Error) => {
    throw new Problem(`${file} cannot be read (${cause.message}). Run this as the user whom it belongs to.`, {
      cause,
    })
  })
}
