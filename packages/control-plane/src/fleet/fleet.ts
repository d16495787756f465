import type { FailureReason } from '@gantry/api/extensions'
import type { ProbeState } from '@gantry/api/probe.rules'
import type { Transaction } from 'kysely'
import type { Db, Reader } from '../db/database.ts'
import type { PlainTables } from '../db/tables.ts'
import type { GuestFacts } from './guest/guest.ts'

export interface VmSpec {
  id: string
  instance_id: string
  sled_id: string
  facts: GuestFacts
}

/** A VMM's state as reported by its sled. */
export interface VmReport {
  state: 'starting' | 'running' | 'migrating' | 'stopping' | 'rebooting' | 'stopped' | 'failed'
  /** The guest requested it. */
  by_guest: boolean
  /** Why it failed. */
  reason: FailureReason | null
}

export interface SerialState {
  /** Bytes written since power on. */
  written: number
  /** When more output will come without input. */
  nextDue: Date | undefined
}

/** A VMM whose usage is asked for, with the ids of what is attached to it. */
export interface MeasuredVm {
  id: string
  ncpus: number
  /** When it was reserved, from which on it counts. */
  since: Date
  disks: readonly string[]
  interfaces: readonly string[]
}

/** Columns with one entry for each time that was asked for; all but gauges are totals since the start. */
export interface LinkUsage {
  id: string
  bytes_sent: number[]
  bytes_received: number[]
  packets_sent: number[]
  packets_received: number[]
  packets_dropped: number[]
  errors_sent: number[]
  errors_received: number[]
}
export interface VmUsage {
  /** Nanoseconds in each state; the states together are the time since the start. */
  vcpus: { run: number[]; idle: number[]; waiting: number[]; emulation: number[] }[]
  disks: {
    id: string
    bytes_read: number[]
    bytes_written: number[]
    reads: number[]
    writes: number[]
    flushes: number[]
  }[]
  interfaces: LinkUsage[]
}
export interface SledUsage {
  links: LinkUsage[]
  /** Gauges by the name of the sensor. */
  temperatures: Record<string, number[]>
  watts: Record<string, number[]>
  rpms: Record<string, number[]>
}

/** A diagnostic endpoint on a sled, with its addresses in the project's network and outside. */
export interface ProbeSpec {
  id: string
  sled_id: string
  ip: string
  external_ip: string
}

/**
 * What a driver may do within a change: read, write rows without history, and lock a sled against removal.
 */
export interface FleetChange {
  readonly cx: { now: () => Date }
  readonly read: Reader
  readonly plain: Transaction<PlainTables>
  hold: (table: 'sled', id: string) => Promise<void>
}

/**
 * Runs instances. Every call is idempotent. The simulated rack keeps its VMs in rows of the same database; a
 * hypervisor driver would ignore the transaction and talk to its host.
 */
export interface Fleet {
  /** Nothing real runs on it, and the console says so. */
  readonly isSimulated: boolean
  /** Ensures that the VM exists and boots. */
  start: (tx: FleetChange, vm: VmSpec) => Promise<void>
  stop: (tx: FleetChange, vmId: string) => Promise<void>
  reboot: (tx: FleetChange, vmId: string) => Promise<void>
  /** Migrates a running VM to another sled without a stop; reported as `migrating` until it runs there. */
  move: (tx: FleetChange, vmId: string, sledId: string) => Promise<void>
  /** VMs with news, and the time until the next news (ms). */
  news: (db: Reader, now: Date, limit: number) => Promise<{ ids: string[]; nextInMs: number | undefined }>
  /** Repairs times that were set while the clock was ahead. */
  mendTimes: (db: Db, now: Date) => Promise<void>
  /** Collects a VM's news; undefined when the fleet knows no such VM. */
  report: (tx: FleetChange, vmId: string) => Promise<VmReport | undefined>
  /** Deletes what a finished VM left behind, including its serial history. */
  forget: (tx: FleetChange, vmId: string) => Promise<void>
  /** Prints the serial output that is due; returns the bytes written so far. */
  advanceSerial: (tx: FleetChange, vmId: string) => Promise<number>
  /** Sends input to the serial console. */
  typeSerial: (tx: FleetChange, vmId: string, bytes: Uint8Array) => Promise<void>
  /** The serial state of all these VMs in one query; unknown ones are omitted. */
  serialStates: (db: Reader, vmIds: readonly string[]) => Promise<Map<string, SerialState>>
  /**
   * Retained output from `from`, at most `max` bytes; stops at the gap between the first and the last MiB.
   */
  readSerial: (
    db: Reader,
    vmId: string,
    from: number,
    max: number,
  ) => Promise<{ from: number; bytes: Uint8Array }>
  /** Ensures that the probe runs on its sled. */
  startProbe: (tx: FleetChange, probe: ProbeSpec) => Promise<void>
  stopProbe: (tx: FleetChange, probeId: string) => Promise<void>
  /** The states of probes in one query; unknown ones are omitted. */
  probeStates: (db: Reader, probeIds: readonly string[]) => Promise<Map<string, ProbeState>>
  /** The usage of VMs at each time; VMs that do not run are omitted. */
  measureVms: (
    db: Reader,
    vms: readonly MeasuredVm[],
    times: readonly Date[],
  ) => Promise<Map<string, VmUsage>>
  /** The usage of sleds at each time; unreachable sleds are omitted. */
  measureSleds: (
    db: Reader,
    sleds: readonly { id: string; since: Date }[],
    times: readonly Date[],
  ) => Promise<Map<string, SledUsage>>
}
