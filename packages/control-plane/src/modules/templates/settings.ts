import type { TemplateDiskSource, TemplateSettings } from '@gantry/api/compute/instance-template'
import { onlyInProject } from '@gantry/api/compute/instance-template.rules'
import { instanceLimits } from '@gantry/api/compute/instance.rules'
import type { Cx } from '../../context/cx.ts'
import { invalid, notFound, refuseIf } from '../../context/refusal.ts'
import type { Row } from '../../db/tables.ts'
import type { StoredSettings } from '../../db/tables/compute.ts'
import { needCapability } from '../../fleet/capabilities.ts'
import { need } from '../../lookup/need.ts'
import { isUuid } from '@gantry/api/base/name.rules'
import { antiAffinity } from '../affinity/families.ts'
import { resolveGroups } from '../affinity/groups.ts'
import { refuseHardware } from '../compute/instances/create.ts'
import { needLinkedPool } from '../network/addresses/pools.ts'
import { interfaceRequestProblem, sameSubnet } from '../network/records/interfaces.ts'
import { checkSource } from '../storage/disk-source.ts'
import { backendOf } from '../compute/instances/as-created.ts'

/** Where a template is: in a project, or in the silo. */
export interface Place {
  silo_id: string
  project: Row<'project'> | undefined
}

export interface Kept {
  settings: StoredSettings
  user_data: string | null
}

const inAProject = 'Save the template in the project.'

/** The settings as they are stored: checked as far as that is possible before they are used, and with ids for names. */
export async function settingsToKeep(cx: Cx, place: Place, given: TemplateSettings): Promise<Kept> {
  const { hardware, boot_source, boot_size, disks, network_interfaces, external_ips } = given
  const { user_data, auto_restart_policy, cpu_platform, anti_affinity_groups, start, tags } = given
  if (hardware) refuseHardware(hardware.ncpus, hardware.memory)
  if (cpu_platform) needCapability(cx.services.fleet, 'cpu_platforms')
  if (isSet(boot_source) !== isSet(boot_size))
    throw invalid(
      'boot_source and boot_size are given together or not at all',
      'Give both, or leave both out.',
    )
  if ((disks?.length ?? 0) + (boot_source ? 1 : 0) > instanceLimits.disks)
    throw invalid(`cannot attach more than ${instanceLimits.disks} disks to instance`)
  if (boot_source && isSet(boot_size)) await refuseSource(cx, place, boot_size, boot_source)
  for (const { size, disk_source } of disks ?? []) await refuseSource(cx, place, size, disk_source)
  const settings: StoredSettings = {
    hardware,
    boot_source: boot_source && sourceToKeep(boot_source),
    boot_size,
    disks: disks?.map((disk) => ({ ...disk, disk_source: sourceToKeep(disk.disk_source) })),
    network_interfaces: network_interfaces && (await withIds(cx, place, network_interfaces)),
    external_ips: external_ips && (await poolIds(cx, place.silo_id, external_ips)),
    auto_restart_policy,
    cpu_platform,
    anti_affinity_groups: anti_affinity_groups && (await groupIds(cx, place, anti_affinity_groups)),
    start,
    tags,
  }
  return { settings: withoutUnset(settings), user_data: user_data || null }
}

const isSet = <Value>(value: Value | null | undefined): value is Value =>
  value !== undefined && value !== null

/** As two requests for the same are compared: without what is the default. */
function sourceToKeep(source: TemplateDiskSource): TemplateDiskSource {
  if (!('read_only' in source) || source.read_only) return source
  const { read_only: _writable, ...rest } = source
  return rest
}

const withoutUnset = (settings: StoredSettings): StoredSettings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => isSet(value)))

async function refuseSource(
  cx: Cx,
  { silo_id, project }: Place,
  size: number,
  disk_source: TemplateDiskSource,
): Promise<void> {
  if (!project && disk_source.type === 'snapshot') throw invalid(onlyInProject.snapshot, inAProject)
  const { image_id } = await checkSource(
    cx,
    { silo_id, project_id: project?.id ?? null },
    { size, disk_backend: backendOf(disk_source) },
  )
  if (project || image_id === null) return
  const image = await cx.db
    .selectFrom('image')
    .select('project_id')
    .where('id', '=', image_id)
    .executeTakeFirst()
  if (image?.project_id !== null)
    throw invalid(onlyInProject.image, `Promote the image to the silo, or save the template in the project.`)
}

type Interfaces = NonNullable<TemplateSettings['network_interfaces']>
type Params = Extract<Interfaces, { type: 'create' }>['params']

async function withIds(cx: Cx, { project }: Place, given: Interfaces): Promise<Interfaces> {
  if (given.type !== 'create') return given
  if (!project) throw invalid(onlyInProject.interfaces, inAProject)
  return { type: 'create', params: await interfaceIds(cx, project, given.params) }
}

/** Interfaces with the ids of their VPCs and subnets. */
export async function interfaceIds(cx: Cx, project: Row<'project'>, params: Params): Promise<Params> {
  const found: Params = []
  for (const one of params) {
    const vpc = await vpcIn(cx, project, one.vpc)
    const at = isUuid(one.subnet) ? {} : { vpc: vpc.id }
    const { row: subnet } = await need(cx, 'vpc_subnet', { subnet: one.subnet, ...at }, 'read')
    if (subnet.vpc_id !== vpc.id) throw notFound('vpc-subnet', { id: subnet.id })
    if (found.some((other) => other.subnet === subnet.id)) throw sameSubnet
    found.push({ ...one, vpc: vpc.id, subnet: subnet.id })
  }
  refuseIf(
    interfaceRequestProblem({
      type: 'create',
      params: found.map((one) => ({ ...one, vpc_name: one.vpc, subnet_name: one.subnet })),
    }),
  )
  return found
}

async function vpcIn(cx: Cx, project: Row<'project'>, vpc: string): Promise<Row<'vpc'>> {
  const { row } = await need(cx, 'vpc', { vpc, ...(isUuid(vpc) ? {} : { project: project.id }) }, 'read')
  if (row.project_id !== project.id) throw notFound('vpc', { id: row.id })
  return row
}

type Ephemeral = NonNullable<TemplateSettings['external_ips']>

/** Ephemeral addresses with the ids of their pools. */
export async function poolIds(cx: Cx, silo_id: string, given: Ephemeral): Promise<Ephemeral> {
  const found: Ephemeral = []
  for (const { type, pool } of given)
    found.push({ type, ...(isSet(pool) && { pool: (await needLinkedPool(cx.db, silo_id, pool)).id }) })
  return found
}

async function groupIds(cx: Cx, { project }: Place, given: readonly string[]): Promise<string[]> {
  if (given.length === 0) return []
  if (!project) throw invalid(onlyInProject.groups, inAProject)
  return resolveGroups(cx, antiAffinity, project, given, 'read')
}
