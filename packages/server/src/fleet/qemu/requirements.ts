import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { machineUsers } from './machine-users.ts'
import { controlGroupsProblem, mountedGroups } from './control-groups.ts'
import { type Engine, qemuEngine } from './engine.ts'

/** Programs that the driver runs besides those of networks, and the packages of Debian that have them. */
const programs = [
  { program: 'qemu-system-x86_64', debian: 'qemu-system-x86' },
  { program: 'qemu-img', debian: 'qemu-utils' },
  { program: 'setpriv', debian: 'util-linux' },
  { program: 'prlimit', debian: 'util-linux' },
  { program: 'unshare', debian: 'util-linux' },
  { program: 'fallocate', debian: 'util-linux' },
] as const

interface Requirements {
  packages: readonly { program: string; debian: string; isThere: boolean }[]
  /** Undefined without QEMU. */
  engine: Engine | undefined
  isolation: Isolation
}

/** How machines are isolated on this host. */
export interface Isolation {
  /** Why they share the user of this process; empty if each has its own. */
  sharesUser: string
  /** Why they have no limits; empty if control groups set them. */
  lacksLimits: string
}

/** The driver's requirements of the host, and its findings; changes nothing. */
export async function fleetRequirements(): Promise<Requirements> {
  const packages = await Promise.all(
    programs.map(async (one) => ({ ...one, isThere: await isInstalled(one.program) })),
  )
  const hasQemu = packages.every(({ program, isThere }) => isThere || program !== 'qemu-system-x86_64')
  const users = await machineUsers('000000')
  return {
    packages,
    engine: hasQemu ? await qemuEngine(users.first) : undefined,
    isolation: {
      sharesUser: users.why,
      lacksLimits: (await controlGroupsProblem(await mountedGroups())) ?? '',
    },
  }
}

async function isInstalled(program: string): Promise<boolean> {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  const found = await Promise.all(
    folders.map((folder) =>
      access(path.join(folder, program), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  )
  return found.includes(true)
}
