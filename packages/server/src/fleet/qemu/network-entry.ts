import type { MachineSpec } from '@gantry/control-plane/fleet/fleet'

/** How a machine's process enters its network. */
export interface NetworkEntry {
  /** The words before the command, which put it into the network namespace; empty on the host itself is never right. */
  enter: readonly string[]
  /** The tap of each interface, by its id; each belongs to the user that the machine runs as. */
  taps: ReadonlyMap<string, string>
}

export interface MachineNetworks {
  /**
   * Fails in words if the VPC's network is not in force yet or lacks an interface of the machine. A machine without
   * interfaces gets a namespace of its own with nothing in it.
   */
  enter: (spec: MachineSpec, uid: number) => Promise<NetworkEntry>
  /** Removes the machine's taps and, if it had one of its own, its namespace; nothing there is no error. */
  leave: (machineId: string) => Promise<void>
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
