import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import fs from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { checkMigrations } from '@gantry/control-plane/db/load'
import {
  FORMAT,
  type Manifest,
  MAX_ENTRY,
  names,
  parsed,
  type Read,
  readEntry,
  type Totals,
} from './format.ts'
import { Problem } from './problem.ts'
import { DamagedTar, type Entry, readTar, tarEntry } from './tar.ts'

export interface Verified {
  manifest: Manifest
  totals: Totals
}

/** Reads a backup from its first byte to its last, and refuses one that is not whole, or not for this program. */
export async function verifyArchive(file: string, onBytes: (read: number) => void): Promise<Verified> {
  const hash = createHash('sha256')
  let manifest: Manifest | undefined
  let totals: Totals | undefined
  let digest = ''
  const found: Omit<Totals, 'sha256'> = { rows: {}, objects: 0, bytes: 0 }
  for await (const entry of entriesOf(file, onBytes)) {
    if (totals) throw damaged(file, 'there is something after its end')
    if (!manifest) manifest = readManifest(file, entry)
    if (entry.name === names.totals) {
      digest = hash.copy().digest('hex')
      totals = parsed(entry.bytes) as Totals
      continue
    }
    hash.update(tarEntry(entry.name, entry.bytes, new Date(manifest.time)))
    if (entry.name !== names.manifest) count(found, needRead(file, entry))
  }
  if (!manifest || !totals) throw damaged(file, 'it has no end')
  const { sha256, ...counted } = totals
  if (digest !== sha256) throw damaged(file, 'its checksum is another')
  if (JSON.stringify(counted) !== JSON.stringify(found)) throw damaged(file, 'its counts are others')
  return { manifest, totals }
}

/** What is in a backup that was verified, in its order: rows, then objects and each one's pieces. */
export async function* readArchive(file: string, onBytes: (read: number) => void): AsyncGenerator<Read> {
  for await (const entry of entriesOf(file, onBytes))
    if (entry.name !== names.manifest && entry.name !== names.totals) yield needRead(file, entry)
}

async function* entriesOf(file: string, onBytes: (read: number) => void): AsyncGenerator<Entry> {
  await needFile(file)
  const source = createReadStream(file)
  const gunzip = createGunzip()
  source.on('error', (error) => gunzip.destroy(error))
  try {
    for await (const entry of readTar(source.pipe(gunzip), MAX_ENTRY)) {
      onBytes(source.bytesRead)
      yield entry
    }
  } catch (cause) {
    throw explain(file, cause)
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

function explain(file: string, cause: unknown): unknown {
  const { code = '', message } = cause as NodeJS.ErrnoException
  if (code === 'Z_BUF_ERROR') return damaged(file, 'it ends too early', cause)
  if (code.startsWith('Z_') || cause instanceof DamagedTar || isMisshapen(cause))
    return damaged(file, message, cause)
  return cause
}

/** JSON that is none, or says something else than expected. */
const isMisshapen = (cause: unknown): boolean => cause instanceof SyntaxError || cause instanceof TypeError

const damaged = (file: string, why: string, cause?: unknown): Problem =>
  new Problem(`${file} is no whole backup of Gantry: ${why}. Nothing was restored; take another backup.`, {
    cause,
  })

function readManifest(file: string, { name, bytes }: Entry): Manifest {
  const manifest = name === names.manifest ? (parsed(bytes) as Manifest) : undefined
  if (manifest?.product !== 'gantry') throw damaged(file, 'it does not begin like one')
  if (manifest.format > FORMAT) {
    throw new Problem(
      `The backup is of a newer version, Gantry ${manifest.version}. Restore it with that version or a newer one.`,
    )
  }
  checkMigrations(manifest.migrations, manifest.version)
  return manifest
}

function needRead(file: string, { name, bytes }: Entry): Read {
  const read = readEntry(name, bytes)
  if (!read) throw damaged(file, `it holds ${JSON.stringify(name)}, which belongs to none`)
  return read
}

function count(found: Omit<Totals, 'sha256'>, read: Read): void {
  if (read.kind === 'rows') {
    const { table, rows } = read.batch
    found.rows[table] = (found.rows[table] ?? 0) + rows.length
  } else if (read.kind === 'object') found.objects += 1
  else found.bytes += read.bytes.length
}

async function needFile(file: string): Promise<void> {
  const stat = await fs.stat(file).catch((cause: NodeJS.ErrnoException) => {
    const why =
      cause.code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${cause.message}).`
    throw new Problem(`${why} Name a file that gantry backup wrote.`, { cause })
  })
  if (!stat.isFile()) throw new Problem(`${file} is no file. Name one that gantry backup wrote.`)
}
