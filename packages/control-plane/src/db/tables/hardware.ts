import type { CpuFamily } from '@gantry/api/compute/cpu-platform.rules'
import type {
  DiskFormFactor,
  DrainItemState,
  DrainMode,
  DrainState,
  HardwarePolicy,
  HardwareState,
  MembershipState,
} from '@gantry/api/system/hardware.rules'
import type { Generated } from 'kysely'
import type { Defaulted, Json, Taggable, Tracked } from './column-types.ts'

type RackTable = Tracked
/** Identifies a piece of hardware. */
interface Baseboard {
  part: string
  serial: string
  revision: number
}
interface SwitchTable extends Tracked, Baseboard {
  rack_id: string
}
interface PhysicalDiskTable extends Tracked {
  sled_id: string | null
  vendor: string
  serial: string
  model: string
  form_factor: DiskFormFactor
  policy: HardwarePolicy
  state: HardwareState
}
/** What the manufacturer names a disk by. */
interface DiskIdentity {
  vendor: string
  serial: string
  model: string
}
/** A disk found in a sled that has not been adopted. */
interface UnadoptedDiskTable extends DiskIdentity {
  sled_id: string
  slot: number
  form_factor: DiskFormFactor
}
interface DiskAdoptionRequestTable extends Tracked, DiskIdentity {}
interface Board {
  part_number: string
  serial_number: string
}
/** The members of a rack in one version. */
interface RackMembershipTable {
  rack_id: string
  version: number
  state: MembershipState
  members: Json<Board[]>
  unacknowledged: Json<Board[]>
  time_created: Date
  time_committed: Date | null
  time_aborted: Date | null
}
/** A sled detected in a slot but not yet added to the rack. */
interface UninitializedSledTable extends Baseboard {
  rack_id: string
  cubby: number
  usable_hardware_threads: number
  usable_physical_ram: number
}
interface SledDrainTable {
  id: string
  sled_id: string
  mode: DrainMode
  state: DrainState
  time_created: Date
  time_ended: Date | null
}
interface SledDrainItemTable {
  drain_id: string
  instance_id: string
  state: DrainItemState
  /** The sled it moved to. */
  sled_id: string | null
  reason: string | null
}
interface SledTable extends Tracked, Baseboard, Pick<Taggable, 'tags'> {
  rack_id: string
  /** The slot in the rack, from 0 at the bottom. */
  cubby: number
  policy: HardwarePolicy
  state: HardwareState
  /** Null while it is unknown, as of every real host. */
  cpu_family: Defaulted<CpuFamily | null>
  usable_hardware_threads: number
  /** vCPUs that may be reserved for each of its threads; 1 of a simulated sled. */
  vcpus_per_thread: Defaulted<number>
  usable_physical_ram: number
  /** Memory set aside for instances, out of the usable RAM. */
  reservoir_size: number
  is_provisionable: boolean
  /** The engine that runs machines on it, if the fleet has found the host itself. */
  engine: Defaulted<string | null>
  /** Bytes for disks, of such a host. */
  storage_size: Defaulted<number | null>
  /** The free part of it, to about a hundredth. */
  storage_free: Defaulted<number | null>
  /** Since when the fleet cannot reach the host. */
  time_unreachable: Defaulted<Date | null>
  /** Since when it was lost, of one that was then removed for good. */
  time_lost: Defaulted<Date | null>
}
/** One row: the fleet that the machines of this database belong to. */
interface FleetIdentityTable {
  id: Generated<number>
  driver: string
}
/** Reserved by instances; updated with each reservation, which locks this row. */
interface SledUsageTable {
  sled_id: string
  threads: Defaulted<number>
  memory: Defaulted<number>
}

export interface HardwareTracked {
  rack: RackTable
  sled: SledTable
  physical_disk: PhysicalDiskTable
  switch: SwitchTable
  disk_adoption_request: DiskAdoptionRequestTable
}

export interface HardwarePlain {
  sled_usage: SledUsageTable
  uninitialized_sled: UninitializedSledTable
  sled_drain: SledDrainTable
  sled_drain_item: SledDrainItemTable
  fleet_identity: FleetIdentityTable
  unadopted_disk: UnadoptedDiskTable
  rack_membership: RackMembershipTable
}
