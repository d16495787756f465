import type { RunState } from '../compute/instance.rules.ts'

/** The optional capabilities of a fleet, each with the reason for a refusal and for the console. */
export const fleetLacks = {
  cpu_platforms: 'The sleds of this installation are not told apart by their processors',
  external_addresses: 'This installation has no addresses that are reachable from outside',
  external_subnets: 'This installation delivers no packets to external subnets',
  faults: 'Faults can be injected only into a simulated rack',
  guest_agents: 'This installation reaches no agents in guests',
  ipv6: 'The networks of this installation carry no IPv6',
  jumbo_frames: 'The networks of this installation carry no jumbo frames',
  local_disks: 'Disks of this installation are all of one kind, and stay on its hosts',
  live_disks: 'This installation can attach and detach disks of stopped instances only',
  live_growth: 'The disk is in use, and this installation can only grow disks of stopped instances',
  live_snapshot: 'The disk is in use, and this installation can only copy disks of stopped instances',
  multicast: 'The networks of this installation carry no multicast',
  migration: 'This installation cannot move running instances to other sleds',
  probes: 'This installation runs no probes',
  screens: 'This installation has no screens of instances',
  secure_boot: 'This installation lacks UEFI with secure boot',
  switches: 'This installation has no switches of its own',
  tpm: 'This installation lacks TPMs',
  uefi: 'This installation lacks UEFI',
  updates: 'This installation does not update the software of its hosts',
} as const
export type FleetCapability = keyof typeof fleetLacks

/** The facts about the fleet that a console needs before it shows a page. */
export interface FleetFacts {
  /** Instances run no real software. */
  is_simulated: boolean
  lacks: readonly FleetCapability[]
}

/**
 * The response header with these facts as JSON, so that the first answer already brings them: written by the pipeline,
 * and read by the console's `data/fleet.ts`.
 */
export const fleetHeader = 'x-gantry-fleet'

const withoutMachine: ReadonlySet<RunState> = new Set(['creating', 'stopped', 'failed', 'destroyed'])

/** Whether a machine may use the disks of an instance in this state. */
export const hasMachine = (state: RunState): boolean => !withoutMachine.has(state)
