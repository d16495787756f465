import { type FleetCapability, fleetCapabilities, fleetLacks } from '@gantry/api/fleet.rules'
import { invalid, type Refusal } from '../kernel/refusal.ts'
import type { Fleet } from './fleet.ts'

const has: Readonly<Record<FleetCapability, (fleet: Fleet) => boolean>> = {
  faults: ({ faults }) => faults !== undefined,
  live_snapshot: ({ volumes }) => volumes.snapshotsLive,
  migration: ({ machines }) => machines.migrate !== undefined,
  probes: ({ probes }) => probes !== undefined,
}

export const lacks = (fleet: Fleet, capability: FleetCapability): boolean => !has[capability](fleet)

export const lackedBy = (fleet: Fleet): FleetCapability[] =>
  fleetCapabilities.filter((capability) => lacks(fleet, capability))

export const lackRefusal = (capability: FleetCapability): Refusal =>
  invalid(fleetLacks[capability], adviceOn[capability])

const adviceOn: Readonly<Record<FleetCapability, string>> = {
  faults: 'Start a server with a simulated rack to try faults.',
  live_snapshot: 'Stop the instance, then take the snapshot.',
  migration: 'Stop them instead, or move them one by one by stopping and starting them.',
  probes: 'Use an instance in the same network instead.',
}
