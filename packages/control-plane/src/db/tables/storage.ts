import type { CpuPlatformName } from '@gantry/api/compute/cpu-platform.rules'
import type { IpStackType } from '@gantry/api/network/ip-stack.rules'
import type { DiskStateName } from '@gantry/api/storage/disk'
import type { DiskTypeName } from '@gantry/api/storage/disk.rules'
import type { FailureReason } from '@gantry/api/extensions'
import type { HardwareChoice } from '@gantry/api/storage/hardware'
import type { BootRecord, Hardware } from '@gantry/api/storage/hardware.rules'
import type { CdKind } from '@gantry/api/storage/cd.rules'
import type { ImageFormat } from '@gantry/api/storage/image-format.rules'
import type { ImageUploadPurpose, ImageUploadState } from '@gantry/api/storage/image-upload.rules'
import type { InstanceSnapshotState, SnapshotConsistency } from '@gantry/api/storage/instance-snapshot.rules'
import type { Tag } from '@gantry/api/tags/tag.rules'
import type { TaskRequest } from './changes.ts'
import type { Defaulted, Json, JsonOrNull, Named, Protectable, StoredTags, Taggable } from './column-types.ts'

interface DiskTable extends Protectable {
  project_id: string
  size: number
  block_size: number
  state: DiskStateName
  instance_id: string | null
  /** Its place in the machines of its instance for as long as it is attached; null otherwise (`fleet/disk-slots.ts`). */
  slot: Defaulted<number | null>
  snapshot_id: string | null
  image_id: string | null
  /** Its bytes in the block store. */
  content_id: string
  /** Of an image or a snapshot, and never written. */
  read_only: Defaulted<boolean>
  disk_type: Defaulted<DiskTypeName>
  failure: JsonOrNull<FailureReason>
  /** What machines have that boot from it; null for what is usual. */
  hardware: JsonOrNull<Hardware>
}
interface SnapshotTable extends Taggable {
  /** The snapshot of a whole instance that it belongs to. */
  instance_snapshot_id: Defaulted<string | null>
  project_id: string
  disk_id: string
  size: number
  block_size: number
  state: 'creating' | 'ready' | 'faulted' | 'destroyed'
  content_id: string
  failure: JsonOrNull<FailureReason>
  /** As its disk had it. */
  hardware: JsonOrNull<Hardware>
}
/** The snapshots of all disks of an instance at one point in time, with the settings that it had. */
interface InstanceSnapshotTable extends Named, Taggable {
  project_id: string
  instance_id: string
  instance_name: string
  state: InstanceSnapshotState
  failure: JsonOrNull<FailureReason>
  consistency: SnapshotConsistency | null
  size: number
  disks: Json<StoredDisk[]>
  settings: Json<StoredSettings>
  /** In base64. It may hold secrets, and hence has a column of its own. */
  user_data: string
}
/** A disk at the time of the snapshot. */
export interface StoredDisk {
  disk_id: string
  snapshot_id: string
  name: string
  description: string
  size: number
  slot: number
  is_boot: boolean
  /** Absent where it was taken before there were such disks. */
  read_only?: boolean
}
interface StoredPlace {
  id: string
  name: string
}
export interface StoredSettings {
  description: string
  ncpus: number
  memory: number
  hostname: string
  auto_restart_policy: 'never' | 'best_effort' | null
  /** Absent from snapshots from before instances had one. */
  cpu_platform?: CpuPlatformName | null
  /** Absent from snapshots from before instances could have them. */
  enable_jumbo_frames?: boolean
  /** What was selected for its machines, and what was in its CD drives; absent likewise. */
  hardware?: HardwareChoice | null
  cds?: (StoredPlace | null)[]
  network_interfaces: {
    name: string
    description: string
    vpc: StoredPlace
    subnet: StoredPlace
    is_primary: boolean
    transit_ips: string[]
    /** Absent in snapshots from before interfaces could have IPv6: they had IPv4. */
    ip_stack?: IpStackType
  }[]
  /** Of each IP version that it has an ephemeral address of. */
  ephemeral_ip_pools?: StoredPlace[]
  /** In snapshots from before there could be two. */
  ephemeral_ip_pool?: StoredPlace | null
  ssh_keys: string[]
  anti_affinity_groups: StoredPlace[]
  affinity_groups: StoredPlace[]
}
/** The return of an instance's disks to an instance snapshot (`modules/instance-snapshots/restore/`). */
interface InstanceRestoreTable {
  id: string
  instance_snapshot_id: string
  snapshot_name: string
  instance_id: string
  instance_name: string
  silo_id: string
  project_id: string
  silo_user_id: string
  request: Json<TaskRequest>
  state: 'running' | 'done' | 'failed'
  failure: JsonOrNull<FailureReason>
  /** The snapshot of the present state, which must be ready before anything is replaced. */
  kept_id: string | null
  /** Since when the instance has been stopped; it must not have run in between. */
  stopped_since: Date
  disks: Json<RestoredDisk[]>
  done: Defaulted<number>
  time_created: Date
  time_ended: Defaulted<Date | null>
}
/** A disk with its bytes from the snapshot, until it takes them over. */
export interface RestoredDisk {
  /** The disk whose bytes are replaced, as it was when the restore began; null for one that is created anew. */
  now: { id: string; generation: number; content_id: string } | null
  name: string
  description: string
  size: number
  block_size: number
  is_boot: boolean
  /** Absent from restores that began before there were such disks. */
  read_only?: boolean
  snapshot_id: string
  /** The bytes of the snapshot, and of the disk from then on. */
  from: string
  content_id: string
}
interface ImageTable extends Protectable {
  silo_id: string
  project_id: string | null
  os: string
  version: string
  digest: JsonOrNull<{ type: 'sha256'; value: string }>
  block_size: number
  size: number
  content_id: string
  /** Where its file was fetched from, without the query of the URL, and the SHA-256 of that file. */
  source_url: Defaulted<string | null>
  source_sha256: Defaulted<string | null>
  /** How its bytes say that it boots; null where they have not been read. */
  boot_record: Defaulted<BootRecord | null>
  /** What it is as a CD, likewise. */
  cd: Defaulted<CdKind | null>
  /** As selected; null for what its bytes say. */
  hardware: JsonOrNull<Hardware>
}
/** An image being uploaded, with bytes of its own until the image takes them over. */
interface ImageUploadTable extends Named {
  project_id: string
  os: string
  version: string
  block_size: number
  size: number
  state: ImageUploadState
  content_id: string
  image_id: string | null
  failure: JsonOrNull<FailureReason>
  /** As declared, or as recognised when it was completed. */
  format: ImageFormat | null
  /** The raw image that it is converted to, while it is. */
  converted_content_id: string | null
  /** Storage charged for that image. */
  converted_charge: number | null
  image_size: number | null
  percent_converted: number | null
  /** Where its file is fetched from, without the query of the URL. */
  source_url: Defaulted<string | null>
  /** The SHA-256 that the fetched file must have, and the one that it has, once that is known to be right. */
  expected_sha256: Defaulted<string | null>
  sha256: Defaulted<string | null>
  /** The disk whose image it becomes, and the snapshot that is taken for it. */
  disk_id: Defaulted<string | null>
  snapshot_id: Defaulted<string | null>
  purpose: Defaulted<ImageUploadPurpose>
  instance_id: Defaulted<string | null>
  /** The tags of the image that becomes of it. */
  image_tags: JsonOrNull<StoredTags>
}
/** What fetching the file of an upload needs, for as long as it may be fetched (`modules/storage/fetch`). */
interface ImageImportTable {
  upload_id: string
  /** Sealed, because it may hold a secret. */
  url: string
  /** By which the answer to a later request is recognised as the same file. */
  validator: Defaulted<string | null>
  /** Failed attempts since the last progress. */
  failures: Defaulted<number>
  time_begun: Date
}
/** What an instance is made of an upload with, for as long as it is (`modules/instance-files/import-job.ts`). */
interface InstanceImportTable {
  upload_id: string
  silo_user_id: string
  request: Json<TaskRequest>
  name: string
  /** As the request or the file says. */
  ncpus: number
  memory: number
  /** The instance snapshot that it is created from, for no longer than that takes. */
  instance_snapshot_id: string
  disks: Json<{ snapshot_id: string; content_id: string; size: number }[]>
  tags: Json<Tag[]>
}
/**
 * Byte ranges of an upload that are on disk; rows may touch and overlap (`modules/storage/upload-ranges.ts`).
 */
interface ImageUploadRangeTable {
  upload_id: string
  first_byte: number
  length: number
  time: Date
}

export interface StorageTracked {
  disk: DiskTable
  snapshot: SnapshotTable
  instance_snapshot: InstanceSnapshotTable
  image: ImageTable
  image_upload: ImageUploadTable
}

/** The bytes of a local disk, from the first start of its instance until they are deleted. */
interface LocalVolumeTable {
  content_id: string
  sled_id: string
  physical_disk_id: string
  /** What it takes of the physical disk. */
  size: number
}

export interface StoragePlain {
  local_volume: LocalVolumeTable
  instance_restore: InstanceRestoreTable
  image_upload_range: ImageUploadRangeTable
  image_import: ImageImportTable
  instance_import: InstanceImportTable
}
