import { GiB } from '@gantry/api/base/bytes.rules'
import type { InputOf } from '@gantry/api/client/client'
import type { Send } from '#/data/client.ts'
import { backendOf, sourceIn } from '#/data/disk-backend.ts'
import { newTagsField } from '#/kit/forms/form-props.ts'
import type { Template, TemplateField, TemplateSettings } from '#/features/templates/queries.ts'
import { settingsWords } from '#/features/templates/settings-words.ts'
import type { InstanceBody } from '../body.ts'
import { hardware } from '../clone/clone-values.ts'
import { copyName, type Offered } from '../clone/offered.ts'
import { emptyInterface } from '#/features/addresses/interface-values.ts'
import {
  bootImageOf,
  type EphemeralFieldValues,
  ephemeralIps,
  ephemeralValues,
  hardwareOf,
  type InstanceValues,
  type QueuedDisk,
} from '../values.ts'

type Tags = NonNullable<TemplateSettings['tags']>
type Filled = Partial<InstanceValues> & { [newTagsField]?: Tags }

/** The form's values for a template. What no longer exists is left to the form's own defaults. */
export function valuesOf(template: Template, offered: Offered): Filled {
  const { settings } = template
  return {
    ...(settings.hardware && withoutUnset(hardware(settings.hardware))),
    start: settings.start ?? true,
    ...bootValues(template, offered),
    disks: diskValues(template, offered),
    ...interfaceValues(template),
    ...addressValues(template, offered),
    ...userDataValues(settings.userData ?? ''),
    autoRestartPolicy: settings.autoRestartPolicy ?? 'default',
    cpuPlatform: settings.cpuPlatform ?? '',
    antiAffinityGroups: (settings.antiAffinityGroups ?? []).filter((id) => isThere(template, id)),
    ...(settings.tags && settings.tags.length > 0 && { [newTagsField]: settings.tags }),
  }
}

const withoutUnset = <Values extends object>(values: Values): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>

const referenceIn = ({ references }: Template, id: string) => references.find((each) => each.id === id)
const isThere = (template: Template, id: string): boolean => referenceIn(template, id)?.isGone === false

function bootValues(template: Template, { siloImages, projectImages }: Offered): Partial<InstanceValues> {
  const { bootSource: source, bootSize } = template.settings
  if (!source) return template.fixed.includes('boot_source') ? { bootSource: 'disk' } : {}
  const size = { bootDiskSize: Math.ceil((bootSize ?? 0) / GiB) }
  const imageId = source.type === 'image' ? source.imageId : ''
  if (siloImages.some(({ id }) => id === imageId)) return { bootSource: 'silo', siloImage: imageId, ...size }
  if (projectImages.some(({ id }) => id === imageId))
    return { bootSource: 'project', projectImage: imageId, ...size }
  const isUsable = source.type === 'blank' || isThere(template, imageId || sourceId(source))
  if (!isUsable && !template.fixed.includes('boot_source')) return size
  return {
    bootSource: 'template',
    bootTemplate: { words: settingsWords(template).boot_source, source },
    ...size,
  }
}

const sourceId = (source: NonNullable<TemplateSettings['bootSource']>): string =>
  source.type === 'snapshot' ? source.snapshotId : ''

function diskValues({ settings }: Template, { disks }: Offered): QueuedDisk[] {
  const taken = new Set(disks.map(({ name }) => name))
  return (settings.disks ?? []).map(({ diskSource, ...disk }) => {
    const name = taken.has(disk.name) ? copyName(disk.name, taken) : disk.name
    taken.add(name)
    return { type: 'create', body: { ...disk, name, diskBackend: backendOf(diskSource) } }
  })
}

function interfaceValues(template: Template): Pick<InstanceValues, 'networkType' | 'interfaces' | 'ipStack'> {
  const own = template.settings.networkInterfaces
  const ipStack = (own?.type === 'default' && own.ipStack) || emptyInterface.ipStack
  if (own?.type !== 'create') return { networkType: own?.type ?? 'default', interfaces: [], ipStack }
  const interfaces = own.params.flatMap(({ name, description, vpc, subnet, ipStack: stack }) => {
    const names = [vpc, subnet].map((id) => referenceIn(template, id)?.name)
    const [vpcName, subnetName] = names
    const place = { vpc: vpcName ?? '', subnet: subnetName ?? '' }
    const own = { name, description, ...place, ipStack: stack ?? emptyInterface.ipStack }
    return vpcName && subnetName ? [{ ...emptyInterface, ...own }] : []
  })
  return { networkType: 'custom', interfaces, ipStack }
}

function addressValues(template: Template, { pools }: Offered): Partial<EphemeralFieldValues> {
  const kept = (template.settings.externalIps ?? []).map(({ pool }) => pools?.find(({ id }) => id === pool))
  return ephemeralValues(kept, pools)
}

/** As text, if it is one. */
function userDataValues(
  base64: string,
): Partial<Pick<InstanceValues, 'userDataFrom' | 'userDataText' | 'userData'>> {
  if (base64 === '') return {}
  const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0))
  try {
    return {
      userDataFrom: 'text',
      userDataText: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
    }
  } catch {
    return { userDataFrom: 'file', userData: new File([bytes], 'user-data') }
  }
}

type Common = Omit<InstanceBody, 'name' | 'hostname'>

/** The settings that decide each field of a request. */
const settingsOf = {
  description: undefined,
  sshPublicKeys: undefined,
  ncpus: 'hardware',
  memory: 'hardware',
  start: 'start',
  bootDisk: 'boot_source',
  disks: 'disks',
  networkInterfaces: 'network_interfaces',
  externalIps: 'external_ips',
  antiAffinityGroups: 'anti_affinity_groups',
  autoRestartPolicy: 'auto_restart_policy',
  userData: 'user_data',
  cpuPlatform: 'cpu_platform',
  enableJumboFrames: undefined,
  multicastGroups: undefined,
  cds: undefined,
  hardware: undefined,
} as const satisfies Record<keyof Common, TemplateField | undefined>

/** What says that a setting is none, where to leave it out means the template's. */
const none: Partial<Record<keyof Common, unknown>> = {
  antiAffinityGroups: [],
  autoRestartPolicy: null,
  bootDisk: null,
  cpuPlatform: null,
  userData: '',
}

/** What of a request differs from what the template makes of itself: all else is the template's. */
export function changesTo(
  { fixed }: Pick<Template, 'fixed'>,
  filled: Common,
  now: Common,
  sent: Common,
): Omit<InputOf<'instanceTemplateUse'>['body'], 'name' | 'hostname'> {
  const fields = Object.keys(settingsOf) as (keyof Common)[]
  return Object.fromEntries(
    fields.flatMap((field) => {
      const setting = settingsOf[field]
      if (setting === undefined) return [[field, sent[field]]]
      if (fixed.includes(setting) && field !== 'bootDisk') return []
      if (JSON.stringify(filled[field]) === JSON.stringify(now[field])) return []
      return [[field, sent[field] ?? none[field]]]
    }),
  )
}

/** Tags of what is created from a template are in the body, because without any they are the template's. */
export const taggingBody =
  (send: Send, isFixed: boolean): Send =>
  (op, input, given) => {
    const { tags, ...options } = given ?? {}
    const body: object = 'body' in (input as object) ? (input as { body: object }).body : {}
    return send(
      op,
      Object.assign({}, input, { body: { ...body, ...(tags && !isFixed && { tags }) } }),
      options,
    )
  }

/** What a form's values keep as a template. */
export function settingsFrom(
  values: InstanceValues & { [newTagsField]?: Tags },
  { userData, kept }: { userData: string | undefined; kept?: TemplateSettings | undefined },
): TemplateSettings {
  const { ncpus, memoryGib } = hardwareOf(values)
  const { networkType, ipStack, interfaces, autoRestartPolicy, cpuPlatform } = values
  const source = bootSourceOf(values)
  return {
    hardware: { ncpus, memory: memoryGib * GiB },
    ...(source && { bootSource: source, bootSize: (values.bootDiskSize ?? 0) * GiB }),
    disks: values.disks.flatMap((disk) => {
      if (disk.type !== 'create') return []
      const { diskBackend, ...body } = disk.body
      const diskSource = sourceIn(diskBackend)
      return diskSource.type !== 'importing_blocks' ? [{ ...body, diskSource }] : []
    }),
    networkInterfaces:
      networkType === 'custom'
        ? {
            type: 'create',
            params: interfaces.map(({ name, description, vpc, subnet, ...one }) => ({
              name,
              description,
              vpc,
              subnet,
              ...namedStack(one.ipStack),
              transitIps: transitIpsIn(kept, name),
            })),
          }
        : networkType === 'default'
          ? { type: networkType, ...namedStack(ipStack) }
          : { type: networkType },
    externalIps: ephemeralIps(values).map(({ pool }) => ({ type: 'ephemeral', ...(pool && { pool }) })),
    ...(userData && { userData }),
    ...(autoRestartPolicy !== 'default' && { autoRestartPolicy }),
    ...(cpuPlatform && { cpuPlatform }),
    antiAffinityGroups: values.antiAffinityGroups,
    start: values.start,
    tags: (values[newTagsField] ?? []).filter(({ key }) => key !== ''),
  }
}

/** Both IP versions are the server's default, where it carries both. */
const namedStack = (ipStack: InstanceValues['ipStack']) => (ipStack === 'dual_stack' ? {} : { ipStack })

/** The form has no field for them. */
function transitIpsIn(kept: TemplateSettings | undefined, name: string): string[] {
  const own = kept?.networkInterfaces
  const one = own?.type === 'create' ? own.params.find((each) => each.name === name) : undefined
  return [...(one?.transitIps ?? [])]
}

function bootSourceOf(values: InstanceValues): TemplateSettings['bootSource'] {
  const { bootSource, bootTemplate, siloImage, projectImage } = values
  if (bootSource === 'template')
    return bootTemplate && bootTemplate.source.type !== 'importing_blocks' ? bootTemplate.source : undefined
  // A copy is of one disk: the template keeps the image that it was made of.
  const imageId = bootSource === 'copy' ? siloImage || projectImage : bootImageOf(values)
  return imageId ? { type: 'image', imageId } : undefined
}

/** What of the form a template does not keep, in whole sentences. */
export function notKept(values: InstanceValues): string[] {
  const { bootSource, disks, floatingIps, networkType, interfaces, siloImage, projectImage } = values
  return [
    ...(bootSource === 'disk' ? ['Boot disk: an existing disk belongs to one instance.'] : []),
    ...(bootSource === 'copy'
      ? [`Data of the boot disk${siloImage || projectImage ? ': its image is kept' : ', and its source'}.`]
      : []),
    ...disks.flatMap((disk) =>
      disk.type === 'create'
        ? []
        : [`Disk ${disk.type === 'attach' ? disk.name : disk.body.name}: it is of one instance.`],
    ),
    ...(floatingIps.length > 0 ? ['Floating IPs: each can be attached to one instance only.'] : []),
    ...(networkType === 'custom' && interfaces.some(({ ip, ipv6 }) => `${ip}${ipv6}`.trim() !== '')
      ? ['Private addresses: each instance gets free ones.']
      : []),
    'Name, description, hostname and SSH keys: whoever uses the template enters their own.',
  ]
}
