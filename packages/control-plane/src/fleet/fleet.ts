import type { FailureReason } from '@gantry/api/extensions'
import type { Hardware } from '@gantry/api/storage/hardware.rules'
import type { ProbeState } from '@gantry/api/network/probe.rules'
import type { Transaction } from 'kysely'
import type { BlockStore } from '../blocks/block-store.ts'
import type { Db } from '../db/database.ts'
import type { PlainTables, Row } from '../db/tables.ts'
import type { GuestAgents } from './guest-agents.ts'
import type { Hosts } from './hosts.ts'
import type { Networks } from './networks.ts'

/*
 * What runs instances, as ports that each driver implements. No driver is called inside a database transaction:
 * changes write the wanted state, and reconcilers realize it. A process may die between any two calls, and several
 * processes may make the same one, so every call is idempotent. Only the faults and probes of a simulated
 * fleet take part in changes.
 */

/** A machine at power-on: the instance's records at that time. */
export interface MachineSpec {
  /** Of one start of an instance; the next start is another machine. */
  id: string
  instance_id: string
  host_id: string
  name: string
  hostname: string
  ncpus: number
  /** Bytes. */
  memory: number
  /** In base64. */
  user_data: string
  /** Public keys as the user stored them. */
  ssh_keys: readonly string[]
  disks: readonly MachineDisk[]
  interfaces: readonly MachineInterface[]
  hardware: MachineHardware
  /** What is in each of its CD drives; null in an empty one. */
  cds: readonly (MachineCd | null)[]
  /** The operating system that the boot disk's image names; empty without one. */
  os: string
  version: string
}
/** What its guest finds besides disks and interfaces. */
export interface MachineHardware extends Hardware {
  /** The volume that keeps the variables of UEFI; the driver creates it. Null for a BIOS. */
  variables_id: string | null
  /** The volume that keeps the state of a TPM, likewise; null without one. */
  tpm_id: string | null
}
/** A CD in a drive of a machine: an image, which its guest only reads. */
export interface MachineCd {
  name: string
  /** Its bytes in the block store. */
  content_id: string
  size: number
  /** The machine's firmware tries it, before any disk. */
  boots: boolean
}
export interface MachineDisk {
  id: string
  name: string
  /** The volume with its bytes. */
  content_id: string
  size: number
  block_size: number
  /** Its place among the machine's disks, from `bootSlot` to below `diskSlots`; guests find disks in this order. */
  slot: number
  is_boot: boolean
  /** The guest cannot write to it. */
  read_only: boolean
}
export interface MachineInterface {
  id: string
  name: string
  /** Its place among the machine's interfaces; guests find them in this order. */
  slot: number
  mac: string
  /** Of IPv4 and of IPv6: at least one. Only fleets that carry IPv6 get interfaces that have the other. */
  ip: string | null
  ipv6: string | null
  is_primary: boolean
  vpc_id: string
  subnet_id: string
  /** The subnet's IPv4 block in CIDR notation. */
  subnet: string
  /** Blocks that it may send from and receive for, besides its own address. */
  transit_ips: readonly string[]
  /** Bytes of its largest packet, if it takes jumbo frames. */
  mtu?: number
}

export interface MachineReport {
  state: 'starting' | 'running' | 'migrating' | 'stopping' | 'rebooting' | 'stopped' | 'failed'
  /** The guest requested it. */
  by_guest: boolean
  /** Why it failed, or why it runs and yet cannot continue for now. */
  reason: FailureReason | null
  /** It failed because its host was shut down or restarted, and runs again once the host is back. */
  by_host?: boolean
  /** Identifies the report, for `acknowledge`. */
  version: string
}

/** What came of it: `pending` calls are repeated, and `ended` says that there is no running machine. */
export type PlugProgress = 'done' | 'pending' | 'ended'

/** Why a machine gets or releases no disk while it runs, although its fleet can do that. */
export class CannotPlug extends Error {
  readonly why: keyof typeof plugProblems
  constructor(why: keyof typeof plugProblems) {
    super(plugProblems[why])
    this.why = why
  }
}
const plugProblems = {
  no_bridge: 'The machine takes no disk while it runs',
  fixed: 'The machine keeps this disk while it runs',
  no_drive: 'The machine has no CD drives',
} as const

/** Calls return once they are accepted; `states` returns their progress. */
export interface Machines {
  /** Ensures that the machine exists and boots; an existing one stays unchanged. */
  ensure: (spec: MachineSpec) => Promise<void>
  /**
   * Asks the guest to shut down, and cuts the power at the deadline, at once if that has passed; an earlier deadline
   * replaces a later one. From then on the machine is reported as
   * stopping, stopped or failed.
   */
  stop: (id: string, deadline: Date) => Promise<void>
  /** Reboots a running machine, unless it has already done so this often on request. */
  reboot: (id: string, count: number) => Promise<void>
  /** What machines can have besides a BIOS. */
  readonly offers: Readonly<Record<'uefi' | 'secure_boot' | 'tpm', boolean>>
  /** Moves a running machine to a host without a stop; reported as migrating until it runs there. */
  migrate?: (id: string, hostId: string) => Promise<void>
  /**
   * Gives a running machine another disk, and lets it keep one that its guest was asked to release. Throws `CannotPlug`
   * where this machine takes none while it runs. Only of a fleet that can, like the next two.
   */
  plug?: (id: string, disk: MachineDisk) => Promise<PlugProgress>
  /** Asks the guest of a running machine to release a disk, or looks whether it has; some guests never do. */
  unplug?: (id: string, diskId: string) => Promise<PlugProgress>
  /**
   * Gives a machine these CDs in place of those that it has; its guest learns of it as from a drive whose button was pressed.
   * Its firmware tries them with its next reset. Throws `CannotPlug` where this machine has no drives.
   */
  setCds: (id: string, cds: readonly (MachineCd | null)[]) => Promise<PlugProgress>
  /** What is in the drives of a machine, by the ids of their bytes; undefined of one that does not run. */
  cds: (id: string) => Promise<(string | null)[] | undefined>
  /** The ids of the disks that a machine may use; undefined of an unknown one. */
  disks?: (id: string) => Promise<string[] | undefined>
  /** Ends machines and deletes everything of them except their disks. Unknown ones are no error. */
  destroy: (ids: readonly string[]) => Promise<void>
  /** The states of machines; unknown ones are omitted. */
  states: (ids: readonly string[]) => Promise<Map<string, MachineReport>>
  /** The ids of all machines that exist, in ascending order, after this one. */
  list: (after: string | undefined, limit: number) => Promise<string[]>
  /**
   * Machines whose latest report is not acknowledged, oldest report first, and the time until there are more (ms) if it
   * is known. They stay pending across restarts.
   */
  pending: (limit: number) => Promise<{ ids: string[]; nextInMs: number | undefined }>
  /** Tells that the reports have been recorded. */
  acknowledge: (reports: ReadonlyMap<string, MachineReport>) => Promise<void>
  /** Calls back when a report may be pending, until aborted. */
  watch: (hint: () => void, signal: AbortSignal) => void
}

/** Serial consoles of machines, addressed by bytes since power-on. */
export interface SerialConsoles {
  /** The number of bytes that each machine has printed; unknown ones are omitted. */
  written: (machineIds: readonly string[]) => Promise<Map<string, number>>
  /**
   * Retained output from `from`, at most `max` bytes. It begins at the next retained byte if that one is gone,
   * and ends before the next gap.
   */
  read: (machineId: string, from: number, max: number) => Promise<{ from: number; bytes: Uint8Array }>
  /** Sends input; a machine that does not run drops it. */
  write: (machineId: string, bytes: Uint8Array) => Promise<void>
  /** Calls back when a machine may have printed, until aborted. */
  watch: (hint: () => void, signal: AbortSignal) => void
}

/**
 * The screens of machines. Each viewer has a conversation of its own in RFB 3.8 (RFC 6143), without authentication and
 * shared with the others; what viewers send is whole messages, checked by `rfb/client-messages.ts`.
 */
export interface Screens {
  /**
   * Connects a viewer, and calls back when there is something to take. Undefined if the machine has no screen: it does
   * not run, or was started when machines had none.
   */
  open: (machineId: string, hint: () => void) => Promise<ScreenLine | undefined>
}
export interface ScreenLine {
  /** Passes on a message; false if the machine takes none for now, and this one is lost. */
  send: (bytes: Uint8Array) => boolean
  /** What the machine has sent, at most `max` bytes. What is not taken slows the machine's sending down. */
  take: (max: number) => Uint8Array
  /** Nothing more follows. */
  hasEnded: () => boolean
  close: () => void
}

/**
 * The bytes of disks, by content id. They belong to the driver: a machine may write them at any time, and only the
 * driver knows what it has written. Images and snapshots never change, and are in the block store.
 */
export interface Volumes {
  /**
   * Creates a volume, empty or with the bytes of an image or snapshot. One that exists is left alone. Aborting may end
   * a long copy, which then leaves nothing behind; likewise for `snapshot`.
   */
  create: (id: string, size: number, from?: string, signal?: AbortSignal) => Promise<void>
  /** Bytes, or undefined if there is no such volume. */
  size: (id: string) => Promise<number | undefined>
  /**
   * Bytes that it takes on the medium: what was written of it and not discarded. Undefined if there is no such volume, or
   * the driver cannot tell.
   */
  occupied: (id: string) => Promise<number | undefined>
  /**
   * Makes the volume at least so large; what is new reads as zero. While a machine uses it only if `growsLive`, and its
   * guest then learns of the new size.
   */
  grow: (id: string, size: number) => Promise<void>
  readonly growsLive: boolean
  /** Writes within the volume's size; no machine uses it. */
  write: (id: string, offset: number, bytes: Uint8Array) => Promise<void>
  /**
   * Copies the volume's bytes at one point in time to a new object of the block store, also while a machine uses
   * it, if `snapshotsLive`. An object that exists is left alone.
   */
  snapshot: (id: string, to: { content_id: string; size: number }, signal?: AbortSignal) => Promise<void>
  /**
   * Copies several volumes like `snapshot`, all at the same point in time: those of a running machine together. If all
   * objects exist, they are left alone; otherwise all are created anew, so that none is of another time. The guest of the
   * machine that uses them is asked to freeze its file systems; tells whether they were frozen, false if that is unknown.
   */
  snapshotTogether: (
    copies: readonly VolumeCopy[],
    options?: { machine?: string | undefined; signal?: AbortSignal },
  ) => Promise<{ wasFrozen: boolean }>
  /** Whether `snapshot` and `snapshotTogether` work while a machine uses the volume. */
  readonly snapshotsLive: boolean
  /** Throws `OutOfSpace` if a snapshot would not fit. */
  needRoomFor: (id: string) => Promise<void>
  /** Deletes the volume; a missing one is no error. */
  remove: (id: string) => Promise<void>
}

/** The copy of a volume, as a new object of the block store. */
export interface VolumeCopy {
  from: string
  content_id: string
  size: number
}

/** A machine to measure, with the ids of its disks and interfaces. */
export interface MeasuredMachine {
  id: string
  ncpus: number
  /** The time of its reservation, from which it is measured. */
  since: Date
  disks: readonly string[]
  interfaces: readonly string[]
}

/** One entry for each requested time; null if the driver does not know. */
export type UsageColumn = (number | null)[]

/** All but gauges are totals since the start. */
export interface LinkUsage {
  id: string
  bytes_sent: UsageColumn
  bytes_received: UsageColumn
  packets_sent: UsageColumn
  packets_received: UsageColumn
  packets_dropped: UsageColumn
  errors_sent: UsageColumn
  errors_received: UsageColumn
}
export interface MachineUsage {
  /** Nanoseconds in each state; the states together are the time since the start. */
  vcpus: { run: UsageColumn; idle: UsageColumn; waiting: UsageColumn; emulation: UsageColumn }[]
  disks: {
    id: string
    bytes_read: UsageColumn
    bytes_written: UsageColumn
    reads: UsageColumn
    writes: UsageColumn
    flushes: UsageColumn
  }[]
  interfaces: LinkUsage[]
}
export interface HostUsage {
  /** With the time since which each one's totals count: those of a real card start over with the host or a driver. */
  links: (LinkUsage & { since: Date })[]
  /** Gauges by the name of the sensor. */
  temperatures: Record<string, UsageColumn>
  watts: Record<string, UsageColumn>
  rpms: Record<string, UsageColumn>
}

/**
 * A driver that can only measure the present returns that for the newest time, and may interpolate earlier times
 * from its previous measurement.
 */
export interface Measurements {
  /** The usage of machines at each time; those that do not run are omitted. */
  machines: (
    machines: readonly MeasuredMachine[],
    times: readonly Date[],
  ) => Promise<Map<string, MachineUsage>>
  /** The usage of hosts at each time; unreachable ones are omitted. */
  hosts: (
    hosts: readonly { id: string; since: Date }[],
    times: readonly Date[],
  ) => Promise<Map<string, HostUsage>>
}

/** A diagnostic endpoint on a sled, with its addresses in the project's network and outside. */
export interface ProbeSpec {
  id: string
  sled_id: string
  ip: string
  external_ip: string
}

/** A fault that an operator injects; a crash happens once, all others last until they are removed. */
export type InjectedFault = Pick<Row<'fault'>, 'kind' | 'instance_id' | 'sled_id'>

/** Misbehaviour on request. Lasting effects are read from the fault's row; this causes the immediate ones. */
export interface Faults {
  inject: (tx: SimulatedChange, fault: InjectedFault) => Promise<void>
}

export interface Probes {
  /** Ensures that the probe runs on its sled. */
  start: (tx: SimulatedChange, probe: ProbeSpec) => Promise<void>
  stop: (tx: SimulatedChange, probeId: string) => Promise<void>
  /** The states of probes in one query; unknown ones are omitted. */
  states: (probeIds: readonly string[]) => Promise<Map<string, ProbeState>>
}

/** A change as the simulation sees it, whose state is rows of the same database. */
export interface SimulatedChange {
  readonly cx: { now: () => Date }
  readonly plain: Transaction<PlainTables>
}

/** The services of the process for its driver. */
export interface DriverServices {
  db: Db
  blocks: BlockStore
  clock: () => Date
}

export interface Fleet {
  /** Identifies the driver and its machines and disks: a database belongs to one of them. */
  readonly driver: string
  /** Nothing real runs on it, which the console shows. */
  readonly isSimulated: boolean
  readonly machines: Machines
  readonly serial: SerialConsoles
  /** Only of a fleet whose machines have channels to agents in their guests. */
  readonly agents?: GuestAgents
  /** Only of a fleet whose machines have screens. */
  readonly screens?: Screens
  readonly volumes: Volumes
  readonly measurements: Measurements
  /** Only of a fleet that finds its hosts itself; the sleds of others are records that operators keep. */
  readonly hosts?: Hosts
  /** Only of a fleet that carries packets; a simulated one evaluates them by the records. */
  readonly networks?: Networks
  /** Repairs times that a driver stored while the clock was ahead. */
  repairTimes: () => Promise<void>
  /** Only of a simulated fleet. */
  readonly faults?: Faults
  /** Only of a simulated fleet. */
  readonly probes?: Probes
}
