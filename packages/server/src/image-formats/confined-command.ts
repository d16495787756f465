import fs from 'node:fs/promises'
import path from 'node:path'

/** What a confined program may use. */
export interface Limits {
  memoryBytes: number
  cpuSeconds: number
  /** The end of the output: bytes beyond it cannot be written. */
  fileBytes: number
}

export interface Confined {
  /** The absolute path of a program of the host. */
  program: string
  args: readonly string[]
  /** A file that it can read as `/input`. */
  input?: string
  /** A file that it can write as `/output`. */
  output?: string
  limits: Limits
}

export const INPUT = '/input'
export const OUTPUT = '/output'

/** Folders of libraries. They hold what packages install, and no secrets. */
const libraries = ['/usr/lib', '/usr/lib32', '/usr/lib64', '/lib', '/lib32', '/lib64']

/**
 * The command that runs a program on hostile input: without network, in its own namespaces of processes, users and
 * mounts, with a root of its own that holds the libraries, the program, and the two files. The first names of the
 * command limit what it uses, and give way to the server.
 */
export async function confinedCommand({ program, args, input, output, limits }: Confined): Promise<string[]> {
  const inside = `/bin/${path.basename(program)}`
  const { memoryBytes, fileBytes, cpuSeconds } = limits
  return [
    ['nice', '-n', '10'],
    ['prlimit', '--core=0', '--nofile=64', `--as=${memoryBytes}`, `--fsize=${fileBytes}`],
    // The second number is when it is killed, the first when it is told.
    [`--cpu=${cpuSeconds}:${cpuSeconds + 1}`, '--'],
    ['bwrap', '--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ['--clearenv', '--setenv', 'LC_ALL', 'C.UTF-8'],
    ...(await Promise.all(libraries.map(shown))),
    ['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'],
    ['--ro-bind', await fs.realpath(program), inside],
    // QEMU tries out locks on it.
    ['--dev-bind', '/dev/null', '/dev/null'],
    input === undefined ? [] : ['--ro-bind', input, INPUT],
    output === undefined ? [] : ['--bind', output, OUTPUT],
    ['--remount-ro', '/', '--chdir', '/', '--', inside, ...args],
  ].flat()
}

/** A folder as it is on the host: many are links to others. */
async function shown(folder: string): Promise<string[]> {
  const found = await fs.lstat(folder).catch(() => undefined)
  if (!found) return []
  return found.isSymbolicLink()
    ? ['--symlink', await fs.readlink(folder), folder]
    : ['--ro-bind', folder, folder]
}
