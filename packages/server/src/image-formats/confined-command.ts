import fs from 'node:fs/promises'
import path from 'node:path'

/** Resource limits of a confined program. */
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
  /** Mounted read-only as `/input`. */
  input?: string
  /** Mounted writable as `/output`. */
  output?: string
  limits: Limits
}

export const INPUT = '/input'
export const OUTPUT = '/output'

/**
 * The stack of each thread, beside which glibc reserves an arena of 64 MiB unless told otherwise. qemu-img starts threads
 * while its disks are slow: 13 would take 1 GiB of addresses with the usual 8 MiB, and its memory limit counts addresses.
 */
const STACK_BYTES = 2 * 1024 ** 2

/** Folders of libraries, which hold files of packages and no secrets. */
const libraries = ['/usr/lib', '/usr/lib32', '/usr/lib64', '/lib', '/lib32', '/lib64']

/**
 * The command that runs a program on hostile input: without network, in its own namespaces of processes, users and
 * mounts, with a root file system of only the libraries, the program, and the two files. The first words of the
 * command limit its resources and lower its priority below the server's.
 */
export async function confinedCommand({ program, args, input, output, limits }: Confined): Promise<string[]> {
  const inside = `/bin/${path.basename(program)}`
  const { memoryBytes, fileBytes, cpuSeconds } = limits
  return [
    ['nice', '-n', '10'],
    ['prlimit', '--core=0', '--nofile=64', `--as=${memoryBytes}`, `--stack=${STACK_BYTES}`],
    // SIGXCPU after the first number of seconds, SIGKILL after the second.
    [`--fsize=${fileBytes}`, `--cpu=${cpuSeconds}:${cpuSeconds + 1}`, '--'],
    ['bwrap', '--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ['--clearenv', '--setenv', 'LC_ALL', 'C.UTF-8', '--setenv', 'MALLOC_ARENA_MAX', '1'],
    ...(await Promise.all(libraries.map(shown))),
    ['--ro-bind-try', '/etc/ld.so.cache', '/etc/ld.so.cache'],
    ['--ro-bind', await fs.realpath(program), inside],
    // QEMU tests file locks on it.
    ['--dev-bind', '/dev/null', '/dev/null'],
    input === undefined ? [] : ['--ro-bind', input, INPUT],
    output === undefined ? [] : ['--bind', output, OUTPUT],
    ['--remount-ro', '/', '--chdir', '/', '--', inside, ...args],
  ].flat()
}

/** Mounts a folder, or repeats its symbolic link. */
async function shown(folder: string): Promise<string[]> {
  const found = await fs.lstat(folder).catch(() => undefined)
  if (!found) return []
  return found.isSymbolicLink()
    ? ['--symlink', await fs.readlink(folder), folder]
    : ['--ro-bind', folder, folder]
}
