import { z } from 'zod'
import { MiB } from '../base/bytes.rules.ts'
import { blockSizes, type diskStates, diskTypes, heldDiskStates, looseDiskStates } from './disk.rules.ts'
import { machineHardware } from './hardware.ts'
import { FailureReason } from '../extensions.ts'
import { del, family, get, post } from '../op.ts'
import {
  ByteCount,
  identityCreate,
  InProject,
  listInProject,
  maybe,
  Name,
  named,
  NameOrId,
  OfProject,
  ours,
  pageOf,
  text,
  Uuid,
  withIdentity,
} from '../schema.ts'

export type DiskStateName = (typeof diskStates)[number]

export const DiskState = named(
  'DiskState',
  z.union([
    ...looseDiskStates.map((state) => z.object({ state: z.literal(state) })),
    ...heldDiskStates.map((state) => z.object({ state: z.literal(state), instance: Uuid })),
  ]),
)

export const BlockSize = named(
  'BlockSize',
  z.literal(blockSizes, { error: (issue) => `invalid block size ${String(issue.input)}` }),
)

export const DiskType = named('DiskType', z.enum(diskTypes))

export const Disk = named(
  'Disk',
  withIdentity({
    project_id: Uuid,
    snapshot_id: Uuid.nullish(),
    image_id: Uuid.nullish(),
    size: ByteCount,
    block_size: BlockSize,
    state: DiskState,
    device_path: z.string(),
    disk_type: DiskType,
    read_only: z.boolean(),
    /** Ours: why the disk is faulted; otherwise null. */
    failure: ours(FailureReason.nullish()),
    /** Ours: what machines have that boot from it, as its image said when it was created. */
    hardware: ours(named('DiskHardware', z.object(machineHardware)).optional()),
  }),
)
export type Disk = z.infer<typeof Disk>

export const DiskSource = named(
  'DiskSource',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('blank'), block_size: BlockSize }),
    z.object({ type: z.literal('snapshot'), snapshot_id: Uuid, read_only: z.boolean().default(false) }),
    z.object({ type: z.literal('image'), image_id: Uuid, read_only: z.boolean().default(false) }),
    z.object({ type: z.literal('importing_blocks'), block_size: BlockSize }),
  ]),
)
export type DiskSource = z.infer<typeof DiskSource>
/** Where the bytes are: on the sled that the instance runs on, or spread over several. */
export const DiskBackend = named(
  'DiskBackend',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('local') }),
    z.object({ type: z.literal('distributed'), disk_source: DiskSource }),
  ]),
)
export type DiskBackend = z.infer<typeof DiskBackend>
export const DiskCreate = named(
  'DiskCreate',
  z.object({ ...identityCreate, size: ByteCount, disk_backend: DiskBackend }),
)
export type DiskCreate = z.infer<typeof DiskCreate>
/** Half a MiB in base64, with enough margin for the API's own message about longer pieces. */
const bulkWriteBody = 1 * MiB
export const ImportBlocksBulkWrite = named(
  'ImportBlocksBulkWrite',
  z.object({
    offset: z.number().int().nonnegative().meta({ format: 'uint64' }),
    base64_encoded_data: text(bulkWriteBody),
  }),
)
export const FinalizeDisk = named('FinalizeDisk', z.object({ snapshot_name: maybe(Name) }))
export const DiskPath = named('DiskPath', z.object({ disk: NameOrId }))

export const DiskPage = pageOf('Disk', Disk)
const path = z.object({ disk: NameOrId })

export const diskOps = family('disks', ['disk'], {
  diskList: get('/v1/disks', {
    summary: 'List disks of a project',
    ...listInProject,
    returns: DiskPage,
  }),
  diskCreate: post('/v1/disks', {
    changes: ['disk', 'utilization'],
    summary: 'Create a disk',
    query: OfProject,
    body: DiskCreate,
    returns: Disk,
  }),
  diskView: get('/v1/disks/{disk}', {
    revalidates: true,
    summary: 'Fetch a disk',
    path,
    query: InProject,
    returns: Disk,
  }),
  diskDelete: del('/v1/disks/{disk}', {
    changes: ['disk', 'utilization'],
    summary: 'Delete a disk',
    path,
    query: InProject,
  }),
  diskBulkWriteImportStart: post('/v1/disks/{disk}/bulk-write-start', {
    summary: 'Start writing blocks to a disk',
    path,
    query: InProject,
    status: 204,
  }),
  diskBulkWriteImport: post('/v1/disks/{disk}/bulk-write', {
    summary: 'Write blocks to a disk',
    path,
    query: InProject,
    body: ImportBlocksBulkWrite,
    bodyMax: bulkWriteBody,
    status: 204,
    audited: false,
  }),
  diskBulkWriteImportStop: post('/v1/disks/{disk}/bulk-write-stop', {
    summary: 'Stop writing blocks to a disk',
    path,
    query: InProject,
    status: 204,
  }),
  diskFinalizeImport: post('/v1/disks/{disk}/finalize', {
    changes: ['disk', 'snapshot', 'utilization'],
    summary: 'Finalize an imported disk',
    path,
    query: InProject,
    body: FinalizeDisk,
    status: 204,
  }),
})
