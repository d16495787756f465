import { z } from 'zod'
import { del, family, get, post, put } from '../op.ts'
import {
  ByteCount,
  identityCreate,
  IdentityUpdate,
  list,
  maybe,
  Name,
  named,
  NameOrId,
  NameOrIdPaging,
  nameOrIdSorts,
  pageOf,
  text,
  Timestamp,
  Uuid,
  withIdentity,
} from '../schema.ts'
import {
  backupContentsMax,
  backupStoreTypes,
  bucketProblem,
  endpointProblem,
  prefixProblem,
} from './backup-target.rules.ts'

const checked = (max: number, problemOf: (text: string) => string | undefined) =>
  text(max).superRefine((value, context) => {
    const message = problemOf(value)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

const bucket = {
  /** The address of the server, without the bucket. */
  endpoint: checked(1000, endpointProblem),
  region: text(100),
  bucket: checked(63, bucketProblem),
  /** What the names of all objects begin with; empty for none. */
  prefix: checked(200, prefixProblem),
  /** Whether the bucket is part of the path rather than of the host name. */
  path_style: z.boolean(),
  access_key_id: text(200),
}

/** A folder below the one that the server has for backups, or a bucket. */
const BackupStore = named(
  'BackupStore',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('folder'), folder: Name }),
    z.object({ type: z.literal('s3'), ...bucket }),
  ]),
)

const shape = {
  store: BackupStore,
  /** New backups are written there. */
  is_default: z.boolean(),
  /** How many backups of this installation it holds. */
  backups: z.number().int(),
  /** Bytes that these backups added to it: compressed, and without what was there already. */
  stored: ByteCount,
}
export const BackupTarget = named('BackupTarget', withIdentity(shape))
export type BackupTarget = z.infer<typeof BackupTarget>

const BackupTargetCreated = named(
  'BackupTargetCreated',
  withIdentity({
    ...shape,
    /** Encrypts all that is written there. It is answered here and never again. */
    encryption_key: z.string(),
  }),
)
export type BackupTargetCreated = z.infer<typeof BackupTargetCreated>

const BackupTargetCreate = named(
  'BackupTargetCreate',
  z.object({
    ...identityCreate,
    store: z.discriminatedUnion('type', [
      z.object({ type: z.literal('folder'), folder: Name }),
      z.object({ type: z.literal('s3'), ...bucket, secret: text(1000) }),
    ]),
    is_default: z.boolean().default(true),
    /** Of a target that holds backups already. One is made for a new target. */
    encryption_key: maybe(text(64)),
  }),
)
export type BackupTargetCreate = z.infer<typeof BackupTargetCreate>

const BackupTargetUpdate = named(
  'BackupTargetUpdate',
  z.object({
    ...IdentityUpdate,
    /** Unchanged if it is not given. The former default then no longer is. */
    is_default: maybe(z.boolean()),
  }),
)
export type BackupTargetUpdate = z.infer<typeof BackupTargetUpdate>

const BackupTargetTest = named(
  'BackupTargetTest',
  z.object({
    works: z.boolean(),
    /** What is wrong, and what to do about it; otherwise null. */
    problem: z.string().nullable(),
  }),
)
export type BackupTargetTest = z.infer<typeof BackupTargetTest>

const HeldBackup = named(
  'HeldBackup',
  z.object({
    id: Uuid,
    name: Name,
    time_created: Timestamp,
    instance_name: Name,
    project_name: Name,
    silo_name: Name,
    size: ByteCount,
    disks: z.number().int(),
    /** It is in a project of this installation. */
    is_known: z.boolean(),
  }),
)

const HeldBackups = named(
  'HeldBackups',
  z.object({
    items: z.array(HeldBackup),
    /** Where to continue, as `after`; null at the end. */
    next: z.string().nullable(),
  }),
)
export type HeldBackups = z.infer<typeof HeldBackups>

const BackupAdoption = named(
  'BackupAdoption',
  z.object({ project: NameOrId, backups: list(Uuid, backupContentsMax).min(1) }),
)
export type BackupAdoption = z.infer<typeof BackupAdoption>

const BackupStores = named(
  'BackupStores',
  z.object({
    items: z.array(
      z.object({
        type: named('BackupStoreType', z.enum(backupStoreTypes)),
        /** Why this server has none of this type, and what to do about it; null if it has. */
        problem: z.string().nullable(),
      }),
    ),
  }),
)
export type BackupStores = z.infer<typeof BackupStores>

const path = z.object({ backup_target: NameOrId })

export const backupTargetOps = family('extensions', ['backup-target'], {
  backupTargetList: get('/ext/v1/system/backup-targets', {
    summary: 'List the places where backups of instances are written',
    query: NameOrIdPaging,
    sorts: nameOrIdSorts,
    reads: ['backup-target', 'instance-backup'],
    returns: pageOf('BackupTarget', BackupTarget),
  }),
  backupStoreList: get('/ext/v1/system/backup-stores', {
    summary: 'List the types of places for backups, with what keeps this server from using one',
    returns: BackupStores,
  }),
  backupTargetCreate: post('/ext/v1/system/backup-targets', {
    summary: 'Add a place for backups, or one that holds backups already, with its key',
    body: BackupTargetCreate,
    returns: BackupTargetCreated,
  }),
  backupTargetView: get('/ext/v1/system/backup-targets/{backup_target}', {
    summary: 'Fetch a place for backups',
    path,
    reads: ['backup-target', 'instance-backup'],
    returns: BackupTarget,
  }),
  backupTargetUpdate: put('/ext/v1/system/backup-targets/{backup_target}', {
    summary: 'Update a place for backups, or make it the default',
    path,
    body: BackupTargetUpdate,
    returns: BackupTarget,
  }),
  backupTargetDelete: del('/ext/v1/system/backup-targets/{backup_target}', {
    changes: ['backup-target', 'instance-backup'],
    summary: 'Forget a place for backups; what it holds stays there',
    path,
  }),
  backupTargetTest: post('/ext/v1/system/backup-targets/{backup_target}/test', {
    changes: [],
    onlyReads: true,
    summary: 'Write, read and delete a small object in a place for backups',
    path,
    status: 200,
    returns: BackupTargetTest,
  }),
  backupTargetContents: get('/ext/v1/system/backup-targets/{backup_target}/backups', {
    reads: ['backup-target', 'instance-backup'],
    summary: 'List the backups that a place holds, oldest first, by what is written there',
    path,
    query: z.object({ after: maybe(text(100)) }),
    returns: HeldBackups,
  }),
  backupTargetAdopt: post('/ext/v1/system/backup-targets/{backup_target}/adopt', {
    changes: ['instance-backup', 'backup-target'],
    summary: 'Bring backups that a place holds into a project, where they can be restored',
    path,
    body: BackupAdoption,
    status: 204,
  }),
})
