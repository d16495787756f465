import fs from 'node:fs/promises'
import path from 'node:path'

/** Whether connecting to a socket failed because there is none, or no process listens. */
export const isUnattended = (error: unknown): boolean =>
  ['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '')

/** Maximum length of a socket path: 108 bytes with terminator on Linux, 104 on macOS. */
const MAX_SOCKET_PATH = 100

/**
 * A path to the directory that is short enough for a socket's name. Linux can go through an open descriptor;
 * elsewhere a path relative to the working directory may be shorter.
 */
export async function reach(
  directory: string,
  name: string,
): Promise<{ path: string; close: () => Promise<void> }> {
  const nothing = (): Promise<void> => Promise.resolve()
  const fits = (folder: string): boolean => Buffer.byteLength(path.join(folder, name)) <= MAX_SOCKET_PATH
  if (fits(directory)) return { path: directory, close: nothing }
  if (process.platform === 'linux') {
    const handle = await fs.open(directory, 'r')
    return { path: `/proc/self/fd/${handle.fd}`, close: () => handle.close() }
  }
  const relative = path.relative(process.cwd(), directory)
  if (fits(relative)) return { path: relative, close: nothing }
  throw new Error(`The path of the data directory ${directory} is too long. Choose a shorter one.`)
}
