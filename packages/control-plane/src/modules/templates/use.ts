import { generateName, isUuid } from '@gantry/api/base/name.rules'
import type { InstanceCreate, InstanceDisk } from '@gantry/api/compute/instance'
import type { InstanceAction } from '@gantry/api/compute/instance-action'
import type {
  BatchFromTemplate,
  InstanceFromTemplate,
  TemplateChanges,
} from '@gantry/api/compute/instance-template'
import { type TemplateField, templateFieldWords } from '@gantry/api/compute/instance-template.rules'
import { automaticStack, type IpStackType } from '@gantry/api/network/ip-stack.rules'
import type { Cx } from '../../context/cx.ts'
import { invalid, Refusal } from '../../context/refusal.ts'
import type { Row } from '../../db/tables.ts'
import { need, type Selectors } from '../../lookup/need.ts'
import { createBatch } from '../bulk/batch.ts'
import { createInstance } from '../compute/instances/create.ts'
import { defaultOfStack } from '../network/records/ip-stack.ts'
import { createdTagsOf } from '../tags/demand.ts'
import { addressOf, backendOf } from '../compute/instances/as-created.ts'
import { refuseFixed } from './fixed.ts'
import { type Reference, referencesOf, type Template } from './references.ts'

/** Creates an instance with the template's settings, and those of the request in place of them. */
export async function createFrom(
  cx: Cx,
  at: Selectors,
  { name, hostname, ...changes }: InstanceFromTemplate,
): Promise<Row<'instance'>> {
  const { project, template } = await needBoth(cx, at)
  const instance = await instanceOf(cx, project, template, changes, (disk) =>
    generateName((digits) => cx.newId().replaceAll('-', '').slice(-digits), name, disk),
  )
  cx.request.created_tags = await createdTagsOf(cx, 'instanceCreate', tagsOf(template, changes))
  return createInstance(cx, { project: project.id }, { ...instance, name, hostname: hostname ?? name })
}

/** Likewise several, as one task. The names of their disks begin with their own anyway. */
export async function createManyFrom(
  cx: Cx,
  at: Selectors,
  { name_pattern, hostname_pattern, first, count, ...changes }: BatchFromTemplate,
): Promise<InstanceAction> {
  const { project, template } = await needBoth(cx, at)
  const instance = await instanceOf(cx, project, template, changes, (disk) => disk)
  cx.request.created_tags = await createdTagsOf(cx, 'instanceBatchCreate', tagsOf(template, changes))
  return createBatch(cx, { project: project.id }, { name_pattern, hostname_pattern, first, count, instance })
}

interface Both {
  project: Row<'project'>
  template: Template
}

/** The project of the new instance, and the template by its id, or its name in the project or else in the silo. */
async function needBoth(cx: Cx, { project: at, instance_template }: Selectors): Promise<Both> {
  const { row: project } = await need(cx, 'project', { project: at }, 'create_child')
  const byName = !isUuid(instance_template ?? '')
  const { row: template } = await need(
    cx,
    'instance_template',
    { instance_template, ...(byName && { project: project.id }) },
    'read',
  ).catch((error: unknown) => {
    if (byName && error instanceof Refusal && error.code === 'ObjectNotFound')
      return need(cx, 'instance_template', { instance_template }, 'read')
    throw error
  })
  if (template.project_id !== null && template.project_id !== project.id)
    throw invalid('the template belongs to another project', 'Save it there for the silo, or here anew.')
  return { project, template }
}

const tagsOf = ({ settings }: Template, { tags }: TemplateChanges) => tags ?? settings.tags ?? undefined

type Common = Omit<InstanceCreate, 'name' | 'hostname'>

async function instanceOf(
  cx: Cx,
  project: Row<'project'>,
  template: Template,
  changes: TemplateChanges,
  diskName: (name: string) => string,
): Promise<Common> {
  await refuseFixed(cx, project, template, changes)
  const { settings } = template
  const references = (await referencesOf(cx.db, [template])).get(template.id) ?? []
  const own = takenFrom(template, references)
  const nameOf = new Map(references.map(({ id, name }) => [id, name ?? '']))
  const ncpus = changes.ncpus ?? settings.hardware?.ncpus
  const memory = changes.memory ?? settings.hardware?.memory
  if (ncpus === undefined || memory === undefined)
    throw invalid('the template has no hardware', 'Send ncpus and memory.')
  return {
    description: changes.description ?? '',
    ncpus,
    memory,
    user_data: changes.user_data ?? template.user_data ?? '',
    network_interfaces:
      changes.network_interfaces ?? interfacesOf(own('network_interfaces').network_interfaces, nameOf),
    external_ips: changes.external_ips ?? (own('external_ips').external_ips ?? []).map(addressOf),
    boot_disk: changes.boot_disk === undefined ? bootDisk(own('boot_source'), diskName) : changes.boot_disk,
    disks:
      changes.disks ??
      (own('disks').disks ?? []).map(({ disk_source, ...rest }) => ({
        ...rest,
        type: 'create',
        name: diskName(rest.name),
        disk_backend: backendOf(disk_source),
      })),
    ssh_public_keys: changes.ssh_public_keys,
    start: changes.start ?? settings.start ?? true,
    auto_restart_policy:
      changes.auto_restart_policy === undefined ? settings.auto_restart_policy : changes.auto_restart_policy,
    cpu_platform: changes.cpu_platform === undefined ? settings.cpu_platform : changes.cpu_platform,
    anti_affinity_groups:
      changes.anti_affinity_groups ?? own('anti_affinity_groups').anti_affinity_groups ?? [],
    enable_jumbo_frames: false,
    multicast_groups: [],
    cds: changes.cds,
    hardware: changes.hardware,
  }
}

/** The template's settings for a field that the request leaves to it; refuses what refers to something gone. */
const takenFrom =
  ({ name, settings, fixed }: Template, references: readonly Reference[]) =>
  (field: TemplateField): Template['settings'] => {
    const gone = references.find((each) => each.field === field && each.is_gone)
    if (!gone) return settings
    const what = templateFieldWords[field].toLowerCase()
    throw invalid(
      `the ${nouns[gone.kind]} that template "${name}" has for its ${what} no longer exists here`,
      fixed.includes(field)
        ? 'Edit the template.'
        : `Choose another for this instance, or edit the template.`,
    )
  }

const nouns = {
  image: 'image',
  snapshot: 'snapshot',
  vpc: 'VPC',
  'vpc-subnet': 'subnet',
  'ip-pool': 'IP pool',
  'anti-affinity-group': 'anti-affinity group',
} as const satisfies Record<Reference['kind'], string>

function interfacesOf(
  own: Template['settings']['network_interfaces'],
  nameOf: ReadonlyMap<string, string>,
): Common['network_interfaces'] {
  if (!own) return undefined
  if (own.type === 'default') return own.ip_stack && { type: defaultOfStack[own.ip_stack] }
  if (own.type === 'none') return own
  return {
    type: 'create',
    params: own.params.map(({ vpc, subnet, transit_ips, ip_stack, ...one }) => ({
      ...one,
      vpc_name: nameOf.get(vpc) ?? '',
      subnet_name: nameOf.get(subnet) ?? '',
      ip_config: configOf(ip_stack, transit_ips),
    })),
  }
}

/** Templates from before interfaces could have IPv6 have networks of IPv4, and name no version. */
const configOf = (ip_stack: IpStackType | undefined, transit_ips: string[]) =>
  ip_stack === undefined && transit_ips.length === 0
    ? undefined
    : automaticStack(ip_stack ?? 'v4', transit_ips)

function bootDisk(
  { boot_source, boot_size }: Template['settings'],
  diskName: (name: string) => string,
): InstanceDisk | undefined {
  if (!boot_source || typeof boot_size !== 'number') return undefined
  return {
    type: 'create',
    name: diskName('boot'),
    description: 'Created as a boot disk',
    size: boot_size,
    disk_backend: backendOf(boot_source),
  }
}
