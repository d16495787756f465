// @chunk templates: of their pages and of the form of a new instance.
import { GiB } from '@gantry/api/base/bytes.rules'
import { cpuPlatformWords } from '@gantry/api/compute/cpu-platform.rules'
import { isUuid } from '@gantry/api/base/name.rules'
import { type IpStackType, ipStackWords } from '@gantry/api/network/ip-stack.rules'
import { formatBytes, formatNumber, plural } from '#/ui/data/format.ts'
import type { Template, TemplateField, TemplateReference, TemplateSettings } from './queries.ts'

type Source = NonNullable<TemplateSettings['bootSource']>
type Words = Readonly<Record<TemplateField, string>>

/** What a template keeps, in words. Names are those of now. */
export function settingsWords({ settings, references }: Pick<Template, 'settings' | 'references'>): Words {
  const nameOf = (id: string) => nameIn(references, id)
  const { hardware, bootSource, bootSize, disks, networkInterfaces, externalIps, tags } = settings
  return {
    hardware: hardware
      ? `${formatNumber(hardware.ncpus)} ${plural('vCPU', hardware.ncpus)}, ${formatNumber(hardware.memory / GiB)} GiB memory`
      : 'Not kept',
    boot_source: bootSource ? sourceWords(bootSource, nameOf) : 'Not kept',
    boot_size: typeof bootSize === 'number' ? formatBytes(bootSize) : 'Not kept',
    disks: listed(
      (disks ?? []).map(
        ({ name, size, diskSource }) => `${name} (${formatBytes(size)}, ${sourceWords(diskSource, nameOf)})`,
      ),
    ),
    network_interfaces:
      networkInterfaces?.type === 'create'
        ? listed(
            networkInterfaces.params.map(
              ({ name, vpc, subnet, ipStack }) =>
                `${name} in subnet ${nameOf(subnet)} of VPC ${nameOf(vpc)}${stackWords(ipStack)}`,
            ),
          )
        : networkInterfaces?.type === 'none'
          ? 'None'
          : `Default${stackWords(networkInterfaces?.ipStack)}`,
    external_ips: listed(
      (externalIps ?? []).map(
        ({ pool }) => `Ephemeral IP from ${pool ? `pool ${nameOf(pool)}` : 'the default pool'}`,
      ),
    ),
    user_data: settings.userData ? 'Kept' : 'None',
    auto_restart_policy: policies[settings.autoRestartPolicy ?? 'default'],
    cpu_platform: settings.cpuPlatform ? cpuPlatformWords[settings.cpuPlatform] : 'Any',
    anti_affinity_groups: listed((settings.antiAffinityGroups ?? []).map(nameOf)),
    start: settings.start === false ? 'Not started' : 'Started',
    tags: listed((tags ?? []).map(({ key, value }) => (value === '' ? key : `${key}=${value}`))),
  }
}

const stackWords = (ipStack: IpStackType | null | undefined): string =>
  ipStack ? `, ${ipStackWords[ipStack]}` : ''

const policies = { default: 'Default', never: 'Never', best_effort: 'Best effort' } as const

const listed = (texts: readonly string[]): string => (texts.length > 0 ? texts.join('; ') : 'None')

/** The name of what the settings refer to, or why there is none. */
function nameIn(references: readonly TemplateReference[], id: string): string {
  const found = references.find((each) => each.id === id)
  if (found) return found.isGone ? '(no longer there)' : (found.name ?? '(which you may not see)')
  // A name already, or an id that nothing told the name of.
  return isUuid(id) ? `${id.slice(0, 8)}…` : id
}

const accessWords = ({ readOnly }: { readOnly?: boolean | undefined }): string =>
  readOnly ? ', read-only' : ''

function sourceWords(source: Source, nameOf: (id: string) => string): string {
  switch (source.type) {
    case 'image':
      return `image ${nameOf(source.imageId)}${accessWords(source)}`
    case 'snapshot':
      return `snapshot ${nameOf(source.snapshotId)}${accessWords(source)}`
    case 'blank':
      return 'blank'
    case 'local':
      return 'local'
    default:
      return source satisfies never
  }
}

/** What of a field no longer exists, in words; undefined while all of it does. */
export function goneIn(
  { references }: Pick<Template, 'references'>,
  field: TemplateField,
): string | undefined {
  const gone = references.find((each) => each.field === field && each.isGone)
  return gone && nouns[gone.kind]
}

const nouns: Readonly<Record<TemplateReference['kind'], string>> = {
  image: 'image',
  snapshot: 'snapshot',
  vpc: 'VPC',
  'vpc-subnet': 'subnet',
  'ip-pool': 'IP pool',
  'anti-affinity-group': 'anti-affinity group',
}
