import { z } from 'zod'
import { ipStackTypes } from '../network/ip-stack.rules.ts'
import { KiB } from '../base/bytes.rules.ts'
import { filteredQuery } from '../base/filtered-query.ts'
import { IpNet } from '../base/ip.ts'
import { del, family, get, post, put } from '../op.ts'
import {
  ByteCount,
  identityCreate,
  IdentityUpdate,
  InProject,
  list,
  maybe,
  Name,
  named,
  NameOrId,
  OfProject,
  pageOf,
  Uuid,
  withIdentity,
} from '../schema.ts'
import { BlockSize } from '../storage/disk.ts'
import { Tag } from '../tags/tag.ts'
import { tagLimits, tagsProblem } from '../tags/tag.rules.ts'
import {
  AutoRestartPolicy,
  CpuCount,
  CpuPlatform,
  Instance,
  InstanceCreate,
  withItsParts,
} from './instance.ts'
import { InstanceAction } from './instance-action.ts'
import { InstanceBatchCreate } from './instance-batch.ts'
import { affinityLimits } from './affinity.rules.ts'
import { instanceLimits } from './instance.rules.ts'
import { referenceKinds, templateFields } from './instance-template.rules.ts'

const TemplateDiskSource = named(
  'InstanceTemplateDiskSource',
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('blank'), block_size: BlockSize }),
    z.object({ type: z.literal('local') }),
    z.object({ type: z.literal('snapshot'), snapshot_id: Uuid, read_only: z.boolean().optional() }),
    z.object({ type: z.literal('image'), image_id: Uuid, read_only: z.boolean().optional() }),
  ]),
)
export type TemplateDiskSource = z.infer<typeof TemplateDiskSource>

/** Absent: the IP versions that the fleet carries. */
const IpStackType = z.enum(ipStackTypes)
const TemplateInterfaces = named(
  'InstanceTemplateInterfaces',
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('create'),
      params: list(
        z.object({
          ...identityCreate,
          vpc: NameOrId,
          subnet: NameOrId,
          transit_ips: list(IpNet).default([]),
          ip_stack: IpStackType.optional(),
        }),
        instanceLimits.networkInterfaces,
      ),
    }),
    z.object({ type: z.literal('default'), ip_stack: IpStackType.optional() }),
    z.object({ type: z.literal('none') }),
  ]),
)

const TemplateTags = list(Tag, tagLimits.tags).superRefine((tags, context) => {
  const message = tagsProblem(tags)
  if (message) context.addIssue({ code: 'custom', message })
})

const given = InstanceCreate.shape

/** Absent is what the API does by default. Answers have references by id. */
export const TemplateSettings = named(
  'InstanceTemplateSettings',
  z.object({
    hardware: maybe(z.object({ ncpus: CpuCount, memory: ByteCount })),
    /** With its size, or neither. */
    boot_source: maybe(TemplateDiskSource),
    boot_size: maybe(ByteCount),
    /** Besides the boot disk. Names of the disks of an instance begin with its own. */
    disks: maybe(
      list(
        z.object({ ...identityCreate, size: ByteCount, disk_source: TemplateDiskSource }),
        instanceLimits.disks,
      ),
    ),
    network_interfaces: maybe(TemplateInterfaces),
    /** A floating IP belongs to one instance. */
    external_ips: maybe(
      list(z.object({ type: z.literal('ephemeral'), pool: maybe(NameOrId) }), instanceLimits.ephemeralIps),
    ),
    /** Readable by every user who may see the template. */
    user_data: maybe(given.user_data.unwrap()),
    auto_restart_policy: maybe(AutoRestartPolicy),
    cpu_platform: maybe(CpuPlatform),
    anti_affinity_groups: maybe(list(NameOrId, affinityLimits.groupsPerInstance)),
    start: maybe(z.boolean()),
    tags: maybe(TemplateTags),
  }),
)
export type TemplateSettings = z.infer<typeof TemplateSettings>

const Field = named('InstanceTemplateField', z.enum(templateFields))
const fixed = list(Field, templateFields.length)

const common = {
  /** Null for one of the silo, for use in all of its projects. */
  project_id: Uuid.nullable(),
  /** What its users may not change. */
  fixed,
}

const TemplateReference = named(
  'InstanceTemplateReference',
  z.object({
    field: Field,
    kind: z.enum(referenceKinds),
    id: Uuid,
    /** Null if the caller may not see it. */
    name: Name.nullable(),
    /** It was deleted, moved out of the template's project, or unlinked from its silo. */
    is_gone: z.boolean(),
  }),
)
export type TemplateReference = z.infer<typeof TemplateReference>

const InstanceTemplate = named(
  'InstanceTemplate',
  withIdentity({
    ...common,
    settings: TemplateSettings,
    /** What the settings name by id. */
    references: z.array(TemplateReference),
  }),
)
export type InstanceTemplate = z.infer<typeof InstanceTemplate>

/** Lists leave out what can be long. */
const TemplateSummary = named(
  'InstanceTemplateSummary',
  withIdentity({
    ...common,
    hardware: TemplateSettings.shape.hardware,
    /** The image of the boot disk. */
    image: TemplateReference.nullable(),
  }),
)
export type TemplateSummary = z.infer<typeof TemplateSummary>

const TemplateCreate = named(
  'InstanceTemplateCreate',
  z.object({ ...identityCreate, settings: TemplateSettings, fixed: fixed.default([]) }),
)
export type TemplateCreate = z.infer<typeof TemplateCreate>
const TemplateUpdate = named(
  'InstanceTemplateUpdate',
  z.object({
    ...IdentityUpdate,
    /** Replaced as a whole. */
    settings: maybe(TemplateSettings),
    fixed: maybe(fixed),
  }),
)
export type TemplateUpdate = z.infer<typeof TemplateUpdate>

/** In place of the template's, if given; refused where it differs from what is fixed. */
const changes = {
  description: maybe(given.description),
  ncpus: maybe(given.ncpus),
  memory: maybe(given.memory),
  user_data: maybe(given.user_data.unwrap()),
  network_interfaces: maybe(given.network_interfaces.unwrap()),
  external_ips: maybe(given.external_ips.unwrap()),
  disks: maybe(given.disks.unwrap()),
  /** Null for none. */
  boot_disk: given.boot_disk,
  ssh_public_keys: given.ssh_public_keys,
  start: maybe(z.boolean()),
  /** Null for the API's default. */
  auto_restart_policy: given.auto_restart_policy,
  /** Null for every sled. */
  cpu_platform: given.cpu_platform,
  anti_affinity_groups: maybe(given.anti_affinity_groups.unwrap()),
  tags: maybe(TemplateTags),
  /** No template keeps these. */
  cds: given.cds,
  hardware: given.hardware,
}
const InstanceFromTemplate = named(
  'InstanceFromTemplate',
  z.object({ name: Name, hostname: maybe(given.hostname), ...changes }),
)
export type InstanceFromTemplate = z.infer<typeof InstanceFromTemplate>
export type TemplateChanges = Omit<InstanceFromTemplate, 'name' | 'hostname'>

const BatchFromTemplate = named(
  'InstanceBatchFromTemplate',
  InstanceBatchCreate.omit({ instance: true }).extend(changes),
)
export type BatchFromTemplate = z.infer<typeof BatchFromTemplate>

const path = z.object({ instance_template: NameOrId })
const bodyMax = 256 * KiB

export const instanceTemplateOps = family('extensions', ['instance-template'], {
  instanceTemplateList: get('/ext/v1/instance-templates', {
    summary: "List a project's templates of instances, or the silo's",
    ...filteredQuery('instance-template', { project: maybe(NameOrId) }, {}),
    returns: pageOf('InstanceTemplate', TemplateSummary),
  }),
  instanceTemplateCreate: post('/ext/v1/instance-templates', {
    summary: 'Save a template of instances in a project or in the silo',
    query: InProject,
    body: TemplateCreate,
    bodyMax,
    returns: InstanceTemplate,
  }),
  instanceTemplateView: get('/ext/v1/instance-templates/{instance_template}', {
    summary: 'Fetch a template of instances',
    path,
    query: InProject,
    returns: InstanceTemplate,
  }),
  instanceTemplateUpdate: put('/ext/v1/instance-templates/{instance_template}', {
    summary: 'Update a template of instances; instances that exist stay as they are',
    path,
    query: InProject,
    body: TemplateUpdate,
    bodyMax,
    returns: InstanceTemplate,
  }),
  instanceTemplateDelete: del('/ext/v1/instance-templates/{instance_template}', {
    summary: 'Delete a template of instances; what was created from it stays',
    path,
    query: InProject,
  }),
  instanceTemplateUse: post('/ext/v1/instance-templates/{instance_template}/instances', {
    changes: withItsParts,
    summary: 'Create an instance from a template, by its id, or its name in the project or else in the silo',
    path,
    /** Where the instance will be. */
    query: OfProject,
    body: InstanceFromTemplate,
    bodyMax,
    returns: Instance,
  }),
  instanceTemplateBatchUse: post('/ext/v1/instance-templates/{instance_template}/instance-batches', {
    changes: ['instance-action'],
    summary: 'Create several instances from a template that differ in their names',
    path,
    query: OfProject,
    body: BatchFromTemplate,
    bodyMax,
    returns: InstanceAction,
    status: 202,
  }),
})
