import { withFile } from '#src/blocks/block-files-io'
import { writtenChunks } from '#src/blocks/written-chunks'
import { hostCommand } from '../host/host-command.ts'

/** Copies of large disks on slow hosts take hours. */
export const COPY_MS = 24 * 60 * 60 * 1000

/**
 * Copies a sparse file without writers. Holes take no time or space; if the file system shares blocks, nothing
 * does.
 */
export async function copySparse(from: string, to: string, signal?: AbortSignal): Promise<void> {
  await hostCommand(['cp', '--reflink=auto', '--sparse=auto', '--no-dereference', '--', from, to], {
    deadlineMs: COPY_MS,
    endsWithThisProcess: true,
    signal,
  })
}

/** The chunks of a raw file that hold data, one byte each, in the format of the block store. */
export async function chunksIn(file: string, size: number, signal?: AbortSignal): Promise<Uint8Array> {
  const written = writtenChunks(size)
  await hostCommand(['qemu-img', 'map', '--output=json', '-f', 'raw', '--', file], {
    deadlineMs: COPY_MS,
    onOutput: written.take,
    signal,
  })
  return written.end()
}

/** Sets the size and syncs, so that a rename never exposes an incomplete file. */
export const finishFile = (file: string, size: number): Promise<void> =>
  withFile(file, 'r+', file, async (handle) => {
    await handle.truncate(size)
    await handle.sync()
  })

/** Frees the bytes of a file before `end`, which then read as zeros; its size stays. */
export const freeBefore = (file: string, end: number): Promise<string> =>
  hostCommand(['fallocate', '--punch-hole', '--offset', '0', '--length', String(end), '--', file])
