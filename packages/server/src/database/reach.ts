import fs from 'node:fs/promises'
import path from 'node:path'

/** How long one socket name may be: 108 bytes with its end on Linux, 104 on macOS. */
const MAX_SOCKET_PATH = 100

/**
 * A way to the directory that leaves room for the socket's name. Linux can go through an open descriptor;
 * elsewhere a path from the working directory may be shorter.
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
