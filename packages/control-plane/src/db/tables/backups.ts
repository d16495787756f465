import type { BackupStoreType } from '@gantry/api/backups/backup-target.rules'
import type { InstanceBackupState } from '@gantry/api/backups/instance-backup.rules'
import type { FailureReason } from '@gantry/api/extensions'
import type { Hardware } from '@gantry/api/storage/hardware.rules'
import type { SnapshotConsistency } from '@gantry/api/storage/instance-snapshot.rules'
import type { TaskRequest } from './changes.ts'
import type { Defaulted, Json, JsonOrNull, Named, Taggable } from './column-types.ts'
import type { StoredSettings } from './storage.ts'

/** Where a target is; its secret is sealed, in a table of its own. */
export type StoredPlace =
  | { type: Extract<BackupStoreType, 'folder'>; folder: string }
  | {
      type: Extract<BackupStoreType, 's3'>
      endpoint: string
      region: string
      bucket: string
      prefix: string
      path_style: boolean
      access_key_id: string
    }

interface BackupTargetTable extends Named {
  place: Json<StoredPlace>
  is_default: boolean
}
/** What users never see of a target. Its secrets are sealed. */
interface BackupTargetInnerTable {
  backup_target_id: string
  encryption_key: string
  /** Of the access key; empty for a folder. */
  secret: string
  /** Since when chunks may lie there that no backup names; null if there are none. */
  collect_since: Date | null
  /** Of the collection that has the target to itself: its run. */
  collecting: string | null
  /** Names of chunks that a verification found damaged, which the next collection deletes. */
  damaged: Json<string[]>
  /** What backups before that time say is there may be damaged. */
  time_damaged: Date | null
}
export interface BackedUpDisk {
  disk_id: string
  name: string
  description: string
  size: number
  block_size: number
  slot: number
  is_boot: boolean
  read_only: boolean
  hardware: Hardware | null
}
interface InstanceBackupTable extends Named, Taggable {
  project_id: string
  instance_id: string
  instance_name: string
  backup_target_id: string
  state: InstanceBackupState
  failure: JsonOrNull<FailureReason>
  consistency: SnapshotConsistency | null
  size: number
  stored: number | null
  /** When its bytes were as they are: part of the name of its manifest. */
  time_taken: Date
  time_verified: Date | null
  disks: Json<BackedUpDisk[]>
  settings: Json<StoredSettings>
  /** In base64. It may hold secrets, and hence has a column of its own. */
  user_data: string
}
/** A backup that is being created or verified. */
interface BackupWorkTable {
  instance_backup_id: string
  backup_target_id: string
  /** The bytes of its disks at one point in time, until they are in the target; none of one that is verified. */
  copies: Json<{ from: string; content_id: string; size: number }[]>
  is_copied: Defaulted<boolean>
  /** It adds to the target, which is not collected meanwhile. */
  is_sending: Defaulted<boolean>
  done: Defaulted<number>
  sent: Defaulted<number>
  /** Failures since it last made progress. */
  failures: Defaulted<number>
}
interface InstanceBackupRestoreTable {
  id: string
  instance_backup_id: string
  backup_name: string
  silo_id: string
  project_id: string
  silo_user_id: string
  request: Json<TaskRequest>
  state: 'running' | 'done' | 'failed'
  failure: JsonOrNull<FailureReason>
  /** What it becomes, as it was asked for. */
  wanted: Json<
    | { type: 'instance'; name: string; start: boolean }
    | { type: 'in_place'; keep_present: boolean }
    | { type: 'disk'; disk_id: string; name: string }
  >
  /** The bytes of each disk, until what is restored has them. */
  disks: Json<{ disk_id: string; snapshot_id: string; content_id: string; size: number }[]>
  /** The instance snapshot that it is restored from, once all bytes are there. */
  instance_snapshot_id: string
  done: Defaulted<number>
  failures: Defaulted<number>
  time_created: Date
  time_ended: Defaulted<Date | null>
}

export interface BackupsTracked {
  backup_target: BackupTargetTable
  instance_backup: InstanceBackupTable
}
export interface BackupsPlain {
  backup_target_inner: BackupTargetInnerTable
  backup_work: BackupWorkTable
  instance_backup_restore: InstanceBackupRestoreTable
}
