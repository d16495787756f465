import fs from 'node:fs/promises'

export interface StoredFile {
  bytes: Uint8Array<ArrayBuffer>
  etag: string
}

/** How long a file is served without checking the disk. */
const trustedMs = 1000
/** A built console is about 4 MB with its compressed copies; a larger folder is served from disk. */
const maxBytes = 32 * 1024 ** 2

interface CachedFile {
  file: StoredFile
  lookedAt: number
}

/** Files by path, cached in memory: every page requests the same dozen. */
export function storedFiles(now: () => number = Date.now): (path: string) => Promise<StoredFile | undefined> {
  const kept = new Map<string, CachedFile>()
  let bytes = 0

  function keep(path: string, file: StoredFile | undefined): void {
    bytes += (file?.bytes.length ?? 0) - (kept.get(path)?.file.bytes.length ?? 0)
    // Missing paths are not cached, because anyone can invent them.
    if (file) kept.set(path, { file, lookedAt: now() })
    else kept.delete(path)
    if (bytes <= maxBytes) return
    kept.clear()
    bytes = 0
  }

  return async function read(path) {
    const known = kept.get(path)
    if (known && now() - known.lookedAt < trustedMs) return known.file
    const etag = await etagOf(path)
    if (known && known.file.etag === etag) {
      known.lookedAt = now()
      return known.file
    }
    const file = etag === undefined ? undefined : { etag, bytes: new Uint8Array(await fs.readFile(path)) }
    keep(path, file)
    return file
  }
}

/** Undefined if there is no file. */
async function etagOf(path: string): Promise<string | undefined> {
  try {
    const stat = await fs.stat(path)
    if (!stat.isFile()) return undefined
    return `"${Math.floor(stat.mtimeMs).toString(36)}-${stat.size.toString(36)}"`
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined
    throw error
  }
}
