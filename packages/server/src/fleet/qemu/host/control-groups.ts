import fs from 'node:fs/promises'
import path from 'node:path'
import { MiB } from '@gantry/api/base/bytes.rules'
import type { MachineSpec } from '@gantry/control-plane/fleet/fleet'
import { unlessMissing } from '#src/blocks/block-files-io'

/** Limits of machines by control groups, or the reason for having none. */
export interface ControlGroups {
  /** Undefined if machines are limited. */
  lacks: string | undefined
  /** Puts a process and its future children into the group of a machine. */
  enter: (spec: MachineSpec, pid: number) => Promise<void>
  /** Removes the group of a machine whose processes have ended. */
  remove: (machineId: string) => Promise<void>
  /** Removes the group of the installation, unless machines run in it. */
  close: () => Promise<void>
}

/** Folders of control groups; the kernel creates their files. */
export interface GroupFolders {
  make: (folder: string) => Promise<unknown>
  /** Removes it like an empty folder, because its files belong to the kernel. */
  remove: (folder: string) => Promise<void>
}
const hostFolders: GroupFolders = {
  make: (folder) => fs.mkdir(folder, { recursive: true }),
  remove: fs.rmdir,
}

const controllers = ['cpu', 'memory', 'pids'] as const
const PERIOD_US = 100_000
/** Threads of QEMU besides those of vCPUs: at most 64 that read and write disks, and a few more. */
const MORE_THREADS = 100
/** Memory of QEMU besides the guest's: itself, translated code, tables, and cached pages of disks. */
const overhead = ({ memory }: MachineSpec): number => 512 * MiB + Math.ceil(memory / 64)

/** The contents of the files that limit a machine. */
export const limitsOf = (spec: MachineSpec): Record<string, string> => ({
  'memory.max': String(spec.memory + overhead(spec)),
  'pids.max': String(spec.ncpus + MORE_THREADS),
  // One more for its devices: a guest that uses all of its vCPUs still gets its packets.
  'cpu.max': `${(spec.ncpus + 1) * PERIOD_US} ${PERIOD_US}`,
})

/** Control groups of version 2, in a group of the installation below their mount. */
export async function controlGroups(
  tag: string,
  mount: string | undefined,
  folders = hostFolders,
): Promise<ControlGroups> {
  const nothing = async (): Promise<void> => {}
  const none = (lacks: string): ControlGroups => ({ lacks, enter: nothing, remove: nothing, close: nothing })
  const problem = await controlGroupsProblem(mount)
  if (mount === undefined || problem !== undefined) return none(problem ?? '')
  const own = path.join(mount, `gantry-${tag}`)
  try {
    await allowLimits(mount)
    await folders.make(own)
    await allowLimits(own)
  } catch (error) {
    return none(mayNot(error))
  }
  const groupOf = (id: string): string => path.join(own, id)
  return {
    lacks: undefined,
    async enter(spec, pid) {
      const group = groupOf(spec.id)
      await folders.make(group)
      for (const [file, limit] of Object.entries(limitsOf(spec))) await write(group, file, limit)
      await write(group, 'cgroup.procs', String(pid))
    },
    remove: (id) => unlessMissing(folders.remove(groupOf(id))),
    // Machines outlive this process, and their groups with them.
    close: () => folders.remove(own).catch(() => {}),
  }
}

/** Without this, groups inside a group have no files for limits. */
const allowLimits = (group: string): Promise<void> =>
  write(group, 'cgroup.subtree_control', controllers.map((name) => `+${name}`).join(' '))

const mayNot = (error: unknown): string =>
  `This process may not limit machines by control groups: ${(error as Error).message}`

/** Why control groups cannot limit machines; undefined if they can. Changes nothing. */
export async function controlGroupsProblem(mount: string | undefined): Promise<string | undefined> {
  if (mount === undefined) return 'The host has no control groups of version 2.'
  try {
    const available = new Set((await read(mount, 'cgroup.controllers')).trim().split(/\s+/))
    const missing = controllers.filter((name) => !available.has(name))
    if (missing.length > 0)
      return `The host's control groups of version 2 lack controllers: ${missing.join(', ')}.`
    await fs.access(path.join(mount, 'cgroup.subtree_control'), fs.constants.W_OK)
    return undefined
  } catch (error) {
    return mayNot(error)
  }
}

const read = (folder: string, file: string): Promise<string> => fs.readFile(path.join(folder, file), 'utf8')
/** Writes to a file that exists: only the kernel creates any. */
const write = (folder: string, file: string, text: string): Promise<void> =>
  fs.writeFile(path.join(folder, file), text, { flag: 'r+' })

export async function mountedGroups(): Promise<string | undefined> {
  const mounts = await fs.readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  return cgroup2Mount(mounts)
}

/** Where the control groups of version 2 are mounted (`man 5 proc`). */
export function cgroup2Mount(mountInfo: string): string | undefined {
  const line = mountInfo.split('\n').find((one) => one.includes(' - cgroup2 '))
  return line?.split(' ')[4]
}
