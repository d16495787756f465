import fs from 'node:fs/promises'
import path from 'node:path'
import { MiB } from '@gantry/api/bytes.rules'
import type { MachineSpec } from '@gantry/control-plane/fleet/fleet'

/** Limits of machines by control groups, or why there are none. */
export interface ControlGroups {
  /** Undefined if machines are limited. */
  lacks: string | undefined
  /** Puts a process and its future children into the group of a machine. */
  enter: (spec: MachineSpec, pid: number) => Promise<void>
  /** Removes the group of a machine whose processes have ended. */
  remove: (machineId: string) => Promise<void>
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

/** Control groups of version 2, in a group of the installation below the mount at `root`. */
export async function controlGroups(
  tag: string,
  root: string | undefined | Promise<string | undefined> = mountedGroups(),
): Promise<ControlGroups> {
  const mount = await root
  const none = (lacks: string): ControlGroups => ({ lacks, enter: async () => {}, remove: async () => {} })
  const problem = await controlGroupsProblem(mount)
  if (mount === undefined || problem !== undefined) return none(problem ?? '')
  const own = path.join(mount, `gantry-${tag}`)
  try {
    const all = controllers.map((name) => `+${name}`).join(' ')
    await write(mount, 'cgroup.subtree_control', all)
    await fs.mkdir(own, { recursive: true })
    await write(own, 'cgroup.subtree_control', all)
  } catch (error) {
    return none(mayNot(error))
  }
  const groupOf = (id: string): string => path.join(own, id)
  return {
    lacks: undefined,
    async enter(spec, pid) {
      const group = groupOf(spec.id)
      await fs.mkdir(group, { recursive: true })
      for (const [file, limit] of Object.entries(limitsOf(spec))) await write(group, file, limit)
      await write(group, 'cgroup.procs', String(pid))
    },
    async remove(id) {
      // A group is removed like an empty folder: its files belong to the kernel.
      await fs.rmdir(groupOf(id)).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      })
      // The last one removes the installation's group as well.
      await fs.rmdir(own).catch(() => {})
    },
  }
}

const mayNot = (error: unknown): string =>
  `This process may not limit machines by control groups: ${(error as Error).message}`

/** Why control groups cannot limit machines, if they cannot; changes nothing. */
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
const write = (folder: string, file: string, text: string): Promise<void> =>
  fs.writeFile(path.join(folder, file), text)

export async function mountedGroups(): Promise<string | undefined> {
  const mounts = await fs.readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  return cgroup2Mount(mounts)
}

/** Where the control groups of version 2 are mounted (`man 5 proc`). */
export function cgroup2Mount(mountInfo: string): string | undefined {
  const line = mountInfo.split('\n').find((one) => one.includes(' - cgroup2 '))
  return line?.split(' ')[4]
}
