import { type FleetCapability, type FleetFacts, fleetLacks } from '@gantry/api/system/fleet.rules'
import { invalid, type Refusal } from '../context/refusal.ts'
import type { Fleet } from './fleet.ts'
import { onceEach } from '../context/once-each.ts'

const has: Readonly<Record<FleetCapability, (fleet: Fleet) => boolean>> = {
  cpu_platforms: ({ isSimulated }) => isSimulated,
  external_addresses: ({ networks }) => networks?.hasExternalAddresses ?? true,
  external_subnets: ({ isSimulated }) => isSimulated,
  faults: ({ faults }) => faults !== undefined,
  guest_agents: ({ agents }) => agents !== undefined,
  ipv6: ({ isSimulated }) => isSimulated,
  jumbo_frames: ({ isSimulated }) => isSimulated,
  local_disks: ({ isSimulated }) => isSimulated,
  live_disks: ({ machines }) => machines.plug !== undefined,
  live_growth: ({ volumes }) => volumes.growsLive,
  live_snapshot: ({ volumes }) => volumes.snapshotsLive,
  multicast: ({ isSimulated }) => isSimulated,
  migration: ({ machines }) => machines.migrate !== undefined,
  probes: ({ probes }) => probes !== undefined,
  screens: ({ screens }) => screens !== undefined,
  secure_boot: ({ machines }) => machines.offers.secure_boot,
  switches: ({ isSimulated }) => isSimulated,
  tpm: ({ machines }) => machines.offers.tpm,
  uefi: ({ machines }) => machines.offers.uefi,
  updates: ({ isSimulated }) => isSimulated,
}

export const lacks = (fleet: Fleet, capability: FleetCapability): boolean => !has[capability](fleet)

const factsOf = (fleet: Fleet): FleetFacts => ({
  is_simulated: fleet.isSimulated,
  lacks: (Object.keys(has) as FleetCapability[]).filter((capability) => lacks(fleet, capability)),
})

/** The fleet's facts as a header's value. Every response has them, and an open fleet keeps its capabilities. */
export const factsText = onceEach((fleet: Fleet) => JSON.stringify(factsOf(fleet)))

export const lackRefusal = (capability: FleetCapability): Refusal =>
  invalid(fleetLacks[capability], adviceOn[capability])

/** Refuses operations that the fleet lacks, with a message. */
export function needCapability(fleet: Fleet, capability: FleetCapability): void {
  if (lacks(fleet, capability)) throw lackRefusal(capability)
}

const adviceOn: Readonly<Record<FleetCapability, string>> = {
  cpu_platforms: 'Leave `cpu_platform` null: the instance then runs on any sled.',
  external_addresses: 'Ask the operator to run the server with the rights that external addresses need.',
  external_subnets: 'Attach floating IPs, which are delivered one by one.',
  faults: 'Start a server with a simulated rack to try faults.',
  guest_agents: 'Use the serial console instead.',
  ipv6: 'Ask for an address of IPv4, or leave the versions out.',
  local_disks: 'Create the disk with a `disk_backend` of type `distributed`.',
  live_disks: 'Stop the instance, then attach or detach the disk.',
  jumbo_frames: 'Leave them off.',
  live_growth: 'Stop the instance, then grow the disk.',
  live_snapshot: 'Stop the instance, then take the snapshot.',
  multicast: 'Leave multicast groups out.',
  migration: 'Stop them instead, or move them one by one by stopping and starting them.',
  probes: 'Use an instance in the same network instead.',
  screens: 'Use the serial console instead.',
  secure_boot:
    'Ask the operator to install the package ovmf and to restart the server, or choose the image without secure boot.',
  switches: "Configure the network of the hosts with their own system's tools.",
  tpm: 'Ask the operator to install the package swtpm and to restart the server.',
  uefi: 'Ask the operator to install the package ovmf and to restart the server.',
  updates: "Update the hosts with their own system's tools.",
}
