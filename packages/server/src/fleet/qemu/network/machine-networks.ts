import type { MachineSpec } from '@gantry/control-plane/fleet/fleet'

/** What connects the process of a machine to its network. */
export interface NetworkAttachment {
  /** Words before the command that run it in the network namespace; never empty. */
  prefix: readonly string[]
  /** The tap of each interface, by its id; each belongs to the user that the machine runs as. */
  taps: ReadonlyMap<string, string>
}

export interface MachineNetworks {
  /**
   * Throws with a message if the VPC's network is not in force yet or lacks an interface of the machine. A machine
   * without interfaces gets an empty namespace of its own.
   */
  attach: (spec: MachineSpec, uid: number) => Promise<NetworkAttachment>
  /** Removes the machine's taps and, if it had its own, its namespace; missing ones are no error. */
  detach: (machineId: string) => Promise<void>
  /** Counters of the taps as the guest sees them (sent and received swapped), by interface id; missing ones are omitted. */
  counters: (interfaceIds: readonly string[]) => Promise<Map<string, LinkCounters>>
}

/** Totals since the tap exists, with the fields of `LinkUsage` as single numbers. */
export interface LinkCounters {
  bytes_sent: number
  bytes_received: number
  packets_sent: number
  packets_received: number
  packets_dropped: number
  errors_sent: number
  errors_received: number
}
