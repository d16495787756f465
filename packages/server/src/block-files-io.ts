import fs, { type FileHandle } from 'node:fs/promises'

/** Opens a file, runs the work and closes it. `id` names the object in the error for a missing file. */
export async function withFile<T>(
  file: string,
  flags: 'r' | 'r+',
  id: string,
  work: (handle: FileHandle) => Promise<T>,
): Promise<T> {
  const handle = await fs.open(file, flags).catch((error: unknown) => {
    throw isMissing(error) ? missing(id, error) : error
  })
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

export async function readFully(file: FileHandle, into: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < into.length;) {
    const { bytesRead } = await file.read(into, at, into.length - at, position + at)
    // Only concurrent truncation could end early, and nothing truncates.
    if (bytesRead === 0) return
    at += bytesRead
  }
}

export async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}

export async function syncFolder(folder: string): Promise<void> {
  // Windows has no descriptor for a folder; its file systems journal the entries.
  if (process.platform !== 'win32') await withFile(folder, 'r', folder, (handle) => handle.sync())
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

export function missing(id: string, cause: unknown): Error {
  return new Error(`no block object ${id}`, { cause })
}
