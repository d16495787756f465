import type { InstanceDisk } from '@gantry/api/compute/instance'
import type { TemplateChanges } from '@gantry/api/compute/instance-template'
import { type TemplateField, templateFieldWords } from '@gantry/api/compute/instance-template.rules'
import type { IpStackType } from '@gantry/api/network/ip-stack.rules'
import { inOrder } from '@gantry/api/tags/tag.rules'
import type { Cx } from '../../context/cx.ts'
import { invalid } from '../../context/refusal.ts'
import { isSameJson } from '../../db/same-json.ts'
import type { Row } from '../../db/tables.ts'
import { networksIn, stackOfDefault } from '../network/records/ip-stack.ts'
import { antiAffinity } from '../affinity/families.ts'
import { resolveGroups } from '../affinity/groups.ts'
import { sourceOf } from '../compute/instances/as-created.ts'
import type { Template } from './references.ts'
import { interfaceIds, poolIds } from './settings.ts'

/** Refuses a request that changes what the template fixes. To send the same is no change. */
export async function refuseFixed(
  cx: Cx,
  project: Row<'project'>,
  template: Template,
  changes: TemplateChanges,
): Promise<void> {
  for (const field of template.fixed) {
    const given = await comparable[field].given(changes, { cx, project, template })
    if (given === undefined || isSameJson(given, comparable[field].own(template))) continue
    throw invalid(
      `template "${template.name}" does not let this be changed: ${templateFieldWords[field].toLowerCase()}`,
      `Leave out ${comparable[field].sentAs}, so that the template's applies.`,
      { fixed: field },
    )
  }
}

interface Where {
  cx: Cx
  project: Row<'project'>
  template: Template
}

/** A value of a field that is the same where two requests ask for the same. */
interface Comparable {
  own: (template: Template) => unknown
  /** Undefined where the request leaves it to the template. */
  given: (changes: TemplateChanges, where: Where) => unknown
  /** Fields of the request. */
  sentAs: string
}

const sizeAndSource = (disk: InstanceDisk) =>
  disk.type === 'create' ? [disk.size, sourceOf(disk.disk_backend)] : 'attached'
const unless = <Given, Value>(given: Given | null | undefined, value: (given: Given) => Value) =>
  given === undefined || given === null ? undefined : value(given)

const comparable: Readonly<Record<TemplateField, Comparable>> = {
  hardware: {
    own: ({ settings: { hardware } }) => [hardware?.ncpus, hardware?.memory],
    given: ({ ncpus, memory }, { template: { settings } }) => [
      ncpus ?? settings.hardware?.ncpus,
      memory ?? settings.hardware?.memory,
    ],
    sentAs: 'ncpus and memory',
  },
  boot_source: {
    own: ({ settings }) => settings.boot_source ?? 'none',
    given: ({ boot_disk }) =>
      boot_disk === undefined
        ? undefined
        : boot_disk?.type === 'create'
          ? sourceOf(boot_disk.disk_backend)
          : (boot_disk?.type ?? 'none'),
    sentAs: 'boot_disk',
  },
  boot_size: {
    own: ({ settings }) => settings.boot_size ?? 'none',
    given: ({ boot_disk }) =>
      boot_disk === undefined ? undefined : boot_disk?.type === 'create' ? boot_disk.size : 'none',
    sentAs: 'boot_disk',
  },
  disks: {
    own: ({ settings }) => (settings.disks ?? []).map(({ size, disk_source }) => [size, disk_source]),
    given: ({ disks }) => unless(disks, (all) => all.map(sizeAndSource)),
    sentAs: 'disks',
  },
  network_interfaces: {
    own: ({ settings: { network_interfaces: own } }) =>
      own?.type === 'create'
        ? own.params.map(subnetOf)
        : own?.type === 'none'
          ? own.type
          : [own?.ip_stack ?? 'usual'],
    given: ({ network_interfaces: given }, { cx, project, template }) =>
      unless(given, async (all) =>
        all.type === 'create'
          ? (
              await interfaceIds(
                cx,
                project,
                all.params.map(({ vpc_name: vpc, subnet_name: subnet, ip_config, ...one }) => ({
                  ...one,
                  vpc,
                  subnet,
                  ip_stack: ip_config?.type,
                  transit_ips: ip_config ? networksIn(ip_config) : [],
                })),
              )
            ).map((one, at) => subnetOf(asNamed(one, ownStacks(template)[at])))
          : all.type === 'none'
            ? all.type
            : [asNamed({ ip_stack: stackOfDefault[all.type] }, ownStacks(template)[0]).ip_stack ?? 'usual'],
      ),
    sentAs: 'network_interfaces',
  },
  external_ips: {
    own: ({ settings }) => (settings.external_ips ?? []).map(({ pool }) => pool ?? 'default'),
    given: ({ external_ips }, { cx, project }) =>
      unless(external_ips, async (all) => {
        const ephemeral = all.flatMap(({ type, ...one }) =>
          type === 'ephemeral' && 'pool_selector' in one
            ? [{ type, pool: one.pool_selector.type === 'explicit' ? one.pool_selector.pool : undefined }]
            : [],
        )
        const pools = (await poolIds(cx, project.silo_id, ephemeral)).map(({ pool }) => pool ?? 'default')
        return [...pools, ...all.flatMap(({ type }) => (type === 'floating' ? [type] : []))]
      }),
    sentAs: 'external_ips',
  },
  user_data: {
    own: ({ user_data }) => user_data ?? '',
    given: ({ user_data }) => user_data ?? undefined,
    sentAs: 'user_data',
  },
  auto_restart_policy: {
    own: ({ settings }) => settings.auto_restart_policy ?? 'default',
    given: ({ auto_restart_policy: policy }) => (policy === undefined ? undefined : (policy ?? 'default')),
    sentAs: 'auto_restart_policy',
  },
  cpu_platform: {
    own: ({ settings }) => settings.cpu_platform ?? 'none',
    given: ({ cpu_platform: platform }) => (platform === undefined ? undefined : (platform ?? 'none')),
    sentAs: 'cpu_platform',
  },
  anti_affinity_groups: {
    own: ({ settings }) => (settings.anti_affinity_groups ?? []).toSorted(),
    given: ({ anti_affinity_groups }, { cx, project }) =>
      unless(anti_affinity_groups, async (groups) =>
        (await resolveGroups(cx, antiAffinity, project, groups, 'read')).toSorted(),
      ),
    sentAs: 'anti_affinity_groups',
  },
  start: {
    own: ({ settings }) => settings.start ?? true,
    given: ({ start }) => start ?? undefined,
    sentAs: 'start',
  },
  tags: {
    own: ({ settings }) => inOrder(settings.tags ?? []),
    given: ({ tags }) => unless(tags, inOrder),
    sentAs: 'tags',
  },
}

type Params = Awaited<ReturnType<typeof interfaceIds>>

const subnetOf = ({ vpc, subnet, transit_ips, ip_stack }: Params[number]) => [
  vpc,
  subnet,
  transit_ips,
  ip_stack ?? 'usual',
]

/** The IP versions that the template names for each interface, or for the default one. */
function ownStacks({ settings: { network_interfaces: own } }: Template): (IpStackType | undefined)[] {
  if (own?.type === 'create') return own.params.map(({ ip_stack }) => ip_stack)
  return own?.type === 'default' ? [own.ip_stack] : []
}

/** A template that names no IP versions fixes none. */
const asNamed = <One extends { ip_stack?: IpStackType | undefined }>(
  one: One,
  own: IpStackType | undefined,
): One => (own === undefined ? { ...one, ip_stack: undefined } : one)
