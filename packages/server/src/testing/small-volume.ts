import { execFile } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface SmallVolume {
  folder: string
  /** Fills the remaining space, like another program would. */
  fill: () => Promise<void>
  /** Frees that space. */
  clear: () => Promise<void>
  remove: () => Promise<void>
}

/**
 * A file system of `mebibytes`, or why none can be mounted: it needs root, and not every container allows it.
 */
export async function smallVolume(mebibytes: number): Promise<SmallVolume | { missing: string }> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return { missing: 'only root can mount one' }
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'gantry-volume-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'gantry-test', folder])
  } catch (error) {
    await fs.rmdir(folder)
    return { missing: `mounting failed: ${(error as Error).message}` }
  }
  const filler = path.join(folder, 'of-somebody-else')
  return {
    folder,
    async fill() {
      const file = await fs.open(filler, 'a')
      try {
        for (const piece of [1024 * 1024, 4096])
          await writeUntilFull(() => file.appendFile(Buffer.alloc(piece)))
      } finally {
        await file.close()
      }
    },
    clear: () => fs.rm(filler, { force: true }),
    async remove() {
      await run('umount', ['--lazy', folder])
      await fs.rm(folder, { recursive: true })
    },
  }
}

async function writeUntilFull(write: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await write()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return
      throw error
    }
  }
}
