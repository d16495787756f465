import { createHash } from 'node:crypto'
import fs, { type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { once } from 'node:events'
import { createGzip } from 'node:zlib'
import { syncFolder, writeFully } from '../blocks/block-files-io.ts'
import { encrypted } from './encryption.ts'
import { json, type Manifest, names, type Totals } from './format.ts'
import { filling, Problem } from '../problem.ts'
import { endOfTar, tarEntry } from './tar.ts'

export interface ArchiveWriter {
  add: (name: string, bytes: Uint8Array) => Promise<void>
  /** Writes the totals, and renames the file to its final name once all of it is on disk. */
  finish: (totals: Omit<Totals, 'sha256'>) => Promise<void>
  /** Leaves nothing behind. */
  abandon: () => Promise<void>
}

/** The cheapest level that still saves most: one core's compression limits the speed of a backup. */
const LEVEL = 1

/**
 * A new archive at `file`, readable only by its owner, because it contains password hashes, keys and disks.
 * With a passphrase it is encrypted.
 */
export async function writeArchive(
  file: string,
  manifest: Manifest,
  passphrase?: string,
): Promise<ArchiveWriter> {
  await refuseExisting(file)
  await removeLeftOver(file)
  const unfinished = unfinishedName(file, process.pid)
  const handle = await filling(file, () => open(unfinished, file))
  const hash = createHash('sha256')
  const gzip = createGzip({ level: LEVEL })
  const source = passphrase === undefined ? gzip : await encrypted(gzip, passphrase)
  const written = writeAll(source, handle)
  // The next call to add reports the failure; nothing else listens yet.
  written.catch(() => gzip.destroy())
  // Ends the wait for space. Racing with `written` instead would add a reaction to it for every piece.
  gzip.once('close', () => gzip.emit('drain'))
  const time = new Date(manifest.time)

  const put = async (bytes: Uint8Array): Promise<void> => {
    if (gzip.destroyed) await written
    if (gzip.write(bytes)) return
    // `written` has the cause of a failure.
    await once(gzip, 'drain').catch(() => {})
    if (gzip.destroyed) await written
  }
  const add = (name: string, bytes: Uint8Array): Promise<void> =>
    filling(file, async () => {
      const entry = tarEntry(name, bytes, time)
      hash.update(entry)
      await put(entry)
    })
  const abandon = async (): Promise<void> => {
    gzip.destroy()
    await written.catch(() => {})
    await handle.close()
    await fs.rm(unfinished, { force: true })
  }
  await add(names.manifest, json(manifest))
  return {
    add,
    abandon,
    finish: (totals) =>
      filling(file, async () => {
        const whole: Totals = { ...totals, sha256: hash.copy().digest('hex') }
        await put(tarEntry(names.totals, json(whole), time))
        await put(endOfTar)
        gzip.end()
        await written
        await handle.sync()
        await refuseExisting(file)
        await fs.rename(unfinished, file)
        await syncFolder(path.dirname(path.resolve(file)))
        await handle.close()
      }),
  }
}

async function open(unfinished: string, file: string): Promise<FileHandle> {
  try {
    return await fs.open(unfinished, 'wx', 0o600)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      throw new Problem(
        `There is an unfinished backup at ${unfinished}. Remove it if no backup is running, and back up again.`,
        { cause },
      )
    }
    if (code !== 'ENOENT') throw cause
    throw new Problem(`There is no folder ${path.dirname(path.resolve(file))}. Make it first.`, { cause })
  }
}

async function writeAll(source: AsyncIterable<Uint8Array>, handle: FileHandle): Promise<void> {
  let at = 0
  for await (const bytes of source) {
    await writeFully(handle, bytes, at)
    at += bytes.length
  }
}

/** Refuses to overwrite a backup. */
export async function refuseExisting(file: string): Promise<void> {
  const there = await fs.lstat(file).catch(() => undefined)
  if (there)
    throw new Problem(`There is something at ${file} already. Name another file, or remove it first.`)
}

const unfinishedName = (file: string, pid: number): string => `${file}.unfinished-${pid}`

/** Removes leftovers of killed processes for this same file. */
async function removeLeftOver(file: string): Promise<void> {
  const folder = path.dirname(file)
  const prefix = unfinishedName(path.basename(file), 0).slice(0, -1)
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const pid = Number(name.slice(prefix.length))
    if (name.startsWith(prefix) && pid > 0 && !isAlive(pid))
      await fs.rm(path.join(folder, name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
