import { z } from 'zod'
import { withItsParts } from '../compute/instance.ts'
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
  Timestamp,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { InstanceSnapshotConsistency, SnapshotSettings } from '../storage/instance-snapshot.ts'
import { instanceBackupStates } from './instance-backup.rules.ts'

const BackupDisk = named(
  'InstanceBackupDisk',
  z.object({
    disk_id: Uuid,
    /** Of the disk at that time. */
    name: Name,
    size: ByteCount,
    is_boot: z.boolean(),
    read_only: z.boolean(),
  }),
)

export const InstanceBackup = named(
  'InstanceBackup',
  withIdentity({
    project_id: Uuid,
    /** The instance may be deleted by now, or have been one of another installation. */
    instance_id: Uuid,
    /** Its name at that time. */
    instance_name: Name,
    /** Where it is. */
    backup_target_id: Uuid,
    backup_target_name: Name,
    state: named('InstanceBackupState', z.enum(instanceBackupStates)),
    /** Why it is faulted; otherwise null. */
    failure: FailureReason.nullable(),
    /** What its disks hold; null until it is known. */
    consistency: InstanceSnapshotConsistency.nullable(),
    /** Of all its disks. */
    size: ByteCount,
    /** Bytes of its disks that were copied or read back so far; null unless it is being created or verified. */
    done: ByteCount.nullable(),
    /** Bytes that it added to its target, compressed; null until it is ready, or if it is from elsewhere. */
    stored: ByteCount.nullable(),
    /** When all of it was last read back and found to be as it was written. */
    time_verified: Timestamp.nullable(),
    disks: z.array(BackupDisk),
    settings: SnapshotSettings,
  }),
)
export type InstanceBackup = z.infer<typeof InstanceBackup>
export const InstanceBackupPage = pageOf('InstanceBackup', InstanceBackup)

const InstanceBackupCreate = named(
  'InstanceBackupCreate',
  z.object({
    ...identityCreate,
    instance: NameOrId,
    /** Where it is written, by name or id: by default to the target that is the default. */
    backup_target: maybe(NameOrId),
  }),
)
export type InstanceBackupCreate = z.infer<typeof InstanceBackupCreate>

const BackupPlaces = named(
  'InstanceBackupTargets',
  z.object({
    items: z.array(
      z.object({ id: Uuid, name: Name, /** New backups are written there. */ is_default: z.boolean() }),
    ),
  }),
)
export type BackupPlaces = z.infer<typeof BackupPlaces>

const BackupRestoreCreate = named(
  'InstanceBackupRestoreCreate',
  z.discriminatedUnion('type', [
    /** A new instance with new disks. */
    z.object({ type: z.literal('instance'), name: Name, start: z.boolean().default(false) }),
    /** The disks of the instance, which is stopped. */
    z.object({
      type: z.literal('in_place'),
      /** Takes an instance snapshot of the present state first. */
      keep_present: z.boolean().default(true),
    }),
    /** One disk, as a new one. */
    z.object({ type: z.literal('disk'), disk_id: Uuid, name: Name }),
  ]),
)
export type BackupRestoreCreate = z.infer<typeof BackupRestoreCreate>

const BackupRestore = named('InstanceBackupRestore', z.object({ id: Uuid, instance_backup_id: Uuid }))
export type BackupRestore = z.infer<typeof BackupRestore>

const path = z.object({ instance_backup: NameOrId })

export const instanceBackupOps = family('extensions', ['instance-backup'], {
  instanceBackupTargetList: get('/ext/v1/instance-backup-targets', {
    summary: 'List the places where backups of instances of a project can be written',
    query: OfProject,
    reads: ['backup-target'],
    returns: BackupPlaces,
  }),
  instanceBackupCreate: post('/ext/v1/instance-backups', {
    summary: 'Back up an instance: all its disks at one point in time, with its settings',
    query: OfProject,
    body: InstanceBackupCreate,
    returns: InstanceBackup,
  }),
  instanceBackupView: get('/ext/v1/instance-backups/{instance_backup}', {
    summary: 'Fetch a backup of an instance',
    path,
    query: InProject,
    returns: InstanceBackup,
  }),
  instanceBackupDelete: del('/ext/v1/instance-backups/{instance_backup}', {
    summary: 'Delete a backup of an instance, with what only it holds, or cancel one that is being created',
    path,
    query: InProject,
  }),
  instanceBackupVerify: post('/ext/v1/instance-backups/{instance_backup}/verify', {
    summary: 'Read a backup of an instance back, and compare it with what was written',
    path,
    query: InProject,
    status: 202,
    returns: InstanceBackup,
  }),
  instanceBackupRestore: post('/ext/v1/instance-backups/{instance_backup}/restore', {
    changes: [
      'instance-backup-restore',
      'instance-restore',
      'instance-snapshot',
      'snapshot',
      ...withItsParts,
    ],
    summary: 'Restore a backup: as a new instance, in place of the disks of a stopped one, or one disk of it',
    path,
    query: InProject,
    body: BackupRestoreCreate,
    status: 202,
    returns: BackupRestore,
  }),
})
