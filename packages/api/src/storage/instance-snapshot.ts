import { HardwareChoice } from './hardware.ts'
import { z } from 'zod'
import {
  AutoRestartPolicy,
  CpuCount,
  CpuPlatform,
  Hostname,
  Instance,
  withItsParts,
} from '../compute/instance.ts'
import { FailureReason } from '../extensions.ts'
import { del, family, get, post } from '../op.ts'
import {
  ByteCount,
  identityCreate,
  InProject,
  maybe,
  Name,
  named,
  NameOrId,
  OfProject,
  pageOf,
  Uuid,
  withIdentity,
} from '../schema.ts'
import {
  instanceSnapshotStates,
  restoredDiskFates,
  snapshotConsistencies,
} from './instance-snapshot.rules.ts'

const Place = z.object({ id: Uuid, name: Name })

const SnapshotDisk = named(
  'InstanceSnapshotDisk',
  z.object({
    disk_id: Uuid,
    /** Of the disk at that time. */
    name: Name,
    size: ByteCount,
    is_boot: z.boolean(),
    /** A disk that is made of it cannot be written either. */
    read_only: z.boolean(),
    /** The ordinary snapshot of the disk, which is deleted with the instance snapshot. */
    snapshot_id: Uuid,
  }),
)

export const SnapshotSettings = named(
  'InstanceSnapshotSettings',
  z.object({
    description: z.string(),
    ncpus: CpuCount,
    memory: ByteCount,
    hostname: z.string(),
    auto_restart_policy: AutoRestartPolicy.nullable(),
    cpu_platform: CpuPlatform.nullable(),
    /** User data is kept, and never answered: it may hold secrets. */
    has_user_data: z.boolean(),
    network_interfaces: z.array(z.object({ name: Name, vpc: Place, subnet: Place, is_primary: z.boolean() })),
    enable_jumbo_frames: z.boolean(),
    /** What was selected for its machines. */
    hardware: HardwareChoice,
    /** The images that were in its CD drives; null for an empty one. */
    cds: z.array(Place.nullable()),
    /** It had ephemeral addresses of these pools: at most one of each IP version. */
    ephemeral_ip_pools: z.array(Place),
    ssh_keys: z.number().int(),
    anti_affinity_groups: z.array(Place),
    affinity_groups: z.array(Place),
  }),
)

/** What the disks hold. */
export const InstanceSnapshotConsistency = named('InstanceSnapshotConsistency', z.enum(snapshotConsistencies))

export const InstanceSnapshot = named(
  'InstanceSnapshot',
  withIdentity({
    project_id: Uuid,
    /** The instance may be deleted by now. */
    instance_id: Uuid,
    /** Its name at that time. */
    instance_name: Name,
    state: named('InstanceSnapshotState', z.enum(instanceSnapshotStates)),
    /** Why it is faulted; otherwise null. */
    failure: FailureReason.nullable(),
    /** What its disks hold; null until it is known. */
    consistency: InstanceSnapshotConsistency.nullable(),
    /** Of all its disks. */
    size: ByteCount,
    disks: z.array(SnapshotDisk),
    settings: SnapshotSettings,
  }),
)
export type InstanceSnapshot = z.infer<typeof InstanceSnapshot>
export const InstanceSnapshotPage = pageOf('InstanceSnapshot', InstanceSnapshot)

const InstanceSnapshotCreate = named(
  'InstanceSnapshotCreate',
  z.object({ ...identityCreate, instance: NameOrId }),
)
export type InstanceSnapshotCreate = z.infer<typeof InstanceSnapshotCreate>

/** What restoring would do now. */
const RestorePlan = named(
  'InstanceSnapshotRestorePlan',
  z.object({
    in_place: z.object({
      /** Why it cannot be restored in place now; otherwise null. */
      why_not: z.string().nullable(),
      /** Every disk of the snapshot, and those that the instance has besides. */
      disks: z.array(z.object({ name: Name, fate: z.enum(restoredDiskFates) })),
      /** Of the snapshot that keeps the present state. */
      proposed_name: Name,
    }),
    as_new: z.object({
      why_not: z.string().nullable(),
      proposed_name: Name,
      /** What a new instance will lack, because it is gone or cannot be reached by the caller. */
      missing: z.array(z.object({ kind: z.string(), name: z.string() })),
    }),
  }),
)
export type InstanceSnapshotRestorePlan = z.infer<typeof RestorePlan>

const RestoreInPlace = named(
  'InstanceSnapshotRestoreInPlace',
  z.object({
    /** Takes an instance snapshot of the present state first. */
    keep_present: z.boolean().default(true),
    /** Its name; one is made up if it is not given. */
    present_name: maybe(Name),
  }),
)
const Restore = named(
  'InstanceSnapshotRestore',
  z.object({
    id: Uuid,
    instance_id: Uuid,
    /** The snapshot of the present state; null if none is taken. */
    kept: Place.nullable(),
  }),
)
export type InstanceSnapshotRestore = z.infer<typeof Restore>

const NewInstance = named(
  'InstanceFromSnapshot',
  z.object({
    name: Name,
    /** Its name, if it is not given. */
    hostname: maybe(Hostname),
    start: z.boolean().default(false),
  }),
)
export type NewInstance = z.infer<typeof NewInstance>

const path = z.object({ instance_snapshot: NameOrId })

export const instanceSnapshotOps = family('extensions', ['instance-snapshot'], {
  instanceSnapshotCreate: post('/ext/v1/instance-snapshots', {
    changes: ['instance-snapshot', 'snapshot', 'utilization'],
    summary: 'Take a snapshot of a whole instance: of all its disks at one point in time, with its settings',
    query: OfProject,
    body: InstanceSnapshotCreate,
    returns: InstanceSnapshot,
  }),
  instanceSnapshotView: get('/ext/v1/instance-snapshots/{instance_snapshot}', {
    summary: 'Fetch a snapshot of a whole instance',
    path,
    query: InProject,
    returns: InstanceSnapshot,
  }),
  instanceSnapshotDelete: del('/ext/v1/instance-snapshots/{instance_snapshot}', {
    changes: ['instance-snapshot', 'snapshot', 'utilization'],
    summary: 'Delete a snapshot of a whole instance, with the snapshots of its disks',
    path,
    query: InProject,
  }),
  instanceSnapshotRestorePlan: get('/ext/v1/instance-snapshots/{instance_snapshot}/restore-plan', {
    reads: ['instance-snapshot', 'instance', 'disk'],
    summary: 'Ask what restoring an instance snapshot would do now',
    path,
    query: InProject,
    returns: RestorePlan,
  }),
  instanceSnapshotRestore: post('/ext/v1/instance-snapshots/{instance_snapshot}/restore', {
    changes: ['instance-restore', 'instance-snapshot', 'snapshot', 'instance', 'disk', 'utilization'],
    summary: 'Return the disks of a stopped instance to a snapshot of it',
    path,
    query: InProject,
    body: RestoreInPlace,
    returns: Restore,
    status: 202,
  }),
  instanceSnapshotUse: post('/ext/v1/instance-snapshots/{instance_snapshot}/instances', {
    changes: withItsParts,
    summary: 'Create an instance with new disks from an instance snapshot',
    path,
    query: InProject,
    body: NewInstance,
    returns: Instance,
  }),
})
