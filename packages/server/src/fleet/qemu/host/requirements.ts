import { confined, machineUsers } from '../machine/machine-users.ts'
import { controlGroupsProblem, mountedGroups } from './control-groups.ts'
import { type Engine, qemuEngine } from '../engine.ts'
import { hostCommand, type HostProgram, missingPrograms } from './host-command.ts'

/** Programs that the driver runs besides those of networks. */
export const fleetPrograms: readonly HostProgram[] = [
  { program: 'qemu-system-x86_64', debian: 'qemu-system-x86' },
  { program: 'qemu-img', debian: 'qemu-utils' },
  { program: 'setpriv', debian: 'util-linux' },
  { program: 'prlimit', debian: 'util-linux' },
  { program: 'unshare', debian: 'util-linux' },
  { program: 'fallocate', debian: 'util-linux' },
]

interface Requirements {
  missing: readonly HostProgram[]
  /** Undefined without QEMU. */
  engine: Engine | undefined
  /** Why the process of a machine cannot lose its rights; empty if it can, or if programs for that are missing. */
  whyNotConfined: string
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
  const missing = await missingPrograms(fleetPrograms)
  const hasQemu = missing.every(({ program }) => program !== 'qemu-system-x86_64')
  const users = await machineUsers('000000')
  return {
    missing,
    engine: hasQemu ? await qemuEngine(users.first) : undefined,
    whyNotConfined: missing.length > 0 ? '' : await confinementProblem(users.first),
    isolation: {
      sharesUser: users.why,
      lacksLimits: (await controlGroupsProblem(await mountedGroups())) ?? '',
    },
  }
}

/** A process that keeps its user needs a user namespace, which hosts and containers may forbid. */
const confinementProblem = (user: number | undefined): Promise<string> =>
  hostCommand([...confined({ user }), 'true']).then(
    () => '',
    (error: unknown) => (error as Error).message,
  )
