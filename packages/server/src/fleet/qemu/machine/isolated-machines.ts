import type { MachineUsers } from './machine-users.ts'
import type { MachineNetworks } from '../network/machine-networks.ts'

/** For machines without interfaces: each runs in an empty network namespace, which ends with it. */
export const isolatedMachines = ({ first }: MachineUsers): MachineNetworks => ({
  attach({ name, interfaces }) {
    if (interfaces.length > 0)
      return Promise.reject(new Error(`The machine ${name} has interfaces, and this fleet has no networks.`))
    // An ordinary user needs a user namespace for it.
    const own = first === undefined && process.getuid?.() !== 0 ? ['--user', '--map-current-user'] : []
    return Promise.resolve({ prefix: ['unshare', ...own, '--net', '--'], taps: new Map() })
  },
  detach: () => Promise.resolve(),
  counters: () => Promise.resolve(new Map()),
})
