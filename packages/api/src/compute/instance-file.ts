import { z } from 'zod'
import { family, get, post } from '../op.ts'
import { ImageUpload } from '../storage/image-upload.ts'
import { Tag } from '../tags/tag.ts'
import { ByteCount, InProject, maybe, Name, named, NameOrId, Uuid } from '../schema.ts'
import { CpuCount, withItsParts } from './instance.ts'
import { exportLacks, instanceFileFormats } from './instance-file.rules.ts'

const InstanceFileFormat = named('InstanceFileFormat', z.enum(instanceFileFormats))

const ExportPlan = named(
  'InstanceExportPlan',
  z.object({
    file_name: z.string(),
    /** Of the file: it holds what is written of each disk, without compression. */
    size: ByteCount,
    disks: z.array(z.object({ name: Name, size: ByteCount, /** In the file. */ file_size: ByteCount })),
    /** What the instance had that the file will not hold. */
    left_out: z.array(named('InstanceExportLack', z.enum(exportLacks))),
  }),
)
export type InstanceExportPlan = z.infer<typeof ExportPlan>

const ImportPlan = named(
  'InstanceImportPlan',
  z.object({
    format: InstanceFileFormat,
    name: Name,
    description: z.string(),
    ncpus: CpuCount,
    memory: ByteCount,
    /** In order, with the sizes that they will have. */
    disks: z.array(z.object({ name: Name, size: ByteCount, is_boot: z.boolean() })),
    /** Where each interface will be; null where there is no subnet for it. */
    network_interfaces: z.array(
      z.object({
        name: Name,
        /** The names of VPC and subnet where it was. */
        was: z.string(),
        vpc: Name.nullable(),
        subnet: Name.nullable(),
      }),
    ),
    /** Whether the file names a digest of each image, which is compared before anything is made of it. */
    has_digests: z.boolean(),
    /** Of the instance and its disks, unless the request has others. */
    tags: z.array(Tag),
    /** What cannot be kept as it was, in sentences. */
    losses: z.array(z.string()),
  }),
)
export type InstanceImportPlan = z.infer<typeof ImportPlan>

const ImportCreate = named(
  'InstanceImportCreate',
  z.object({
    name: Name,
    /** As the file says, if they are not given. */
    ncpus: maybe(CpuCount),
    memory: maybe(ByteCount),
  }),
)
export type InstanceImportCreate = z.infer<typeof ImportCreate>

const ofUpload = z.object({ upload: Uuid })
const path = z.object({ instance_snapshot: NameOrId })
const query = InProject.extend({ format: InstanceFileFormat.default('gantry') })

export const instanceFileOps = family('extensions', ['instance-snapshot'], {
  instanceExportPlan: get('/ext/v1/instance-snapshots/{instance_snapshot}/export-plan', {
    reads: ['instance-snapshot', 'snapshot'],
    summary: 'Ask for the size and the contents of the file that an export would be',
    path,
    query,
    returns: ExportPlan,
  }),
  instanceExport: get('/ext/v1/instance-snapshots/{instance_snapshot}/export', {
    summary: 'Download an instance as one file: its settings and disks as an instance snapshot holds them',
    path,
    query,
    transport: 'bytes',
  }),
  instanceImportPlan: get('/ext/v1/image-uploads/{upload}/instance', {
    reads: ['image-upload', 'vpc-subnet'],
    summary: 'Read an uploaded file: which instance would be made of it, and what it would lack',
    path: ofUpload,
    returns: ImportPlan,
  }),
  instanceImport: post('/ext/v1/image-uploads/{upload}/instance', {
    changes: ['image-upload', 'instance-snapshot', 'snapshot', ...withItsParts],
    summary: 'Create a stopped instance from an uploaded file, with its disks',
    path: ofUpload,
    body: ImportCreate,
    status: 202,
    returns: ImageUpload,
  }),
})
