import { batchLimits } from '@gantry/api/compute/instance-batch.rules'
import type { CpuPlatformName } from '@gantry/api/compute/cpu-platform.rules'
import { hardwarePresets } from '@gantry/api/compute/instance.rules'
import type { DiskCreate } from '#/features/disks/DiskForm.tsx'
import type { BackendSource } from '#/data/disk-backend.ts'
import type { Disk } from '#/features/disks/queries.ts'
import { defaultGib, suggestedGib } from '#/features/disks/rules.ts'
import type { Image } from '#/features/images/queries.ts'
import { type IpVersion, versionsIn } from '#/features/ip-pools/ip-version.ts'
import { addressPools, defaultPool } from '#/features/ip-pools/parts.tsx'
import type { IpPool } from '#/features/ip-pools/queries.ts'
import type { IpStackType } from '@gantry/api/network/ip-stack.rules'
import type { Firmware } from '@gantry/api/storage/hardware.rules'
import type { InputOf } from '@gantry/api/client/client'
import type { InterfaceValues } from '#/features/addresses/interface-values.ts'
import type { SshKey } from '#/features/ssh-keys/queries.ts'

export type PresetTab = keyof typeof hardwarePresets
export type HardwareTab = PresetTab | 'Custom'
export const presetTabs = Object.keys(hardwarePresets) as PresetTab[]

type InstanceBody = InputOf<'instanceCreate'>['body']

export type BootSource = 'silo' | 'project' | 'installer' | 'disk' | 'copy' | 'template'

/** A disk to copy, by a snapshot taken when the form is sent. */
export type CopiedDisk = Pick<Disk, 'id' | 'name' | 'size'>

/** The source that a template keeps for the boot disk, in words, where it is none of the images in the form. */
interface BootTemplate {
  words: string
  source: BackendSource
}

/** A disk of the new instance: created from a source, copied from another disk, or existing. */
export type QueuedDisk =
  | { type: 'create'; body: DiskCreate }
  | { type: 'copy'; of: CopiedDisk; body: Omit<DiskCreate, 'diskBackend'> }
  | { type: 'attach'; name: string; size: number }

export const queuedName = (disk: QueuedDisk): string => (disk.type === 'attach' ? disk.name : disk.body.name)
export const queuedSize = (disk: QueuedDisk): number => (disk.type === 'attach' ? disk.size : disk.body.size)

/** `default` lets the server decide. */
export type AutoRestartChoice = 'default' | 'never' | 'best_effort'

/** The form's values. Hidden tabs keep their values, but only the visible one takes effect. */
export interface InstanceValues {
  /** A pattern where several are created. */
  name: string
  /** Instances to create, and the number in the name of the first of several. Null while a field is empty. */
  count: number | null
  first: number | null
  description: string
  start: boolean
  hardwareTab: HardwareTab
  /** vCPUs and GiB of a preset: `4/16`. */
  preset: string
  ncpus: number | null
  memory: number | null
  bootSource: BootSource
  siloImage: string
  projectImage: string
  bootDisk: string
  /** CDs that an empty boot disk is installed from: ids of images. */
  installer: string
  drivers: string
  /** Empty for what the installer boots by. */
  installerFirmware: Firmware | ''
  /** What a cloned instance's machines have. */
  chosenHardware: InstanceBody['hardware']
  /** Set while cloning an instance whose boot disk can be copied. */
  bootCopy: CopiedDisk | undefined
  bootTemplate: BootTemplate | undefined
  bootDiskSize: number | null
  bootDiskName: string
  disks: QueuedDisk[]
  /** Ids. */
  sshKeys: string[]
  antiAffinityGroups: string[]
  networkType: 'none' | 'default' | 'custom'
  /** Of the default interface. */
  ipStack: IpStackType
  interfaces: InterfaceValues[]
  hostname: string
  ephemeral: boolean
  /** Empty for the default pool of IPv4. */
  pool: string
  ephemeralIpv6: boolean
  /** Empty for the default pool of IPv6. */
  poolIpv6: string
  floatingIps: string[]
  autoRestartPolicy: AutoRestartChoice
  /** Empty for every sled. */
  cpuPlatform: CpuPlatformName | ''
  /** What takes effect of the two below. */
  userDataFrom: 'none' | 'text' | 'file'
  userDataText: string
  userData: File | undefined
}

/** These of the form's values, where undefined keeps the form's own default. None may be forgotten. */
export type ValuesOrDefault<Field extends keyof InstanceValues = keyof InstanceValues> = {
  [Each in Field]: InstanceValues[Each] | undefined
}

/** The fields of an ephemeral address of each IP version. */
export const ephemeralFields = {
  v4: { ephemeral: 'ephemeral', pool: 'pool' },
  v6: { ephemeral: 'ephemeralIpv6', pool: 'poolIpv6' },
} as const satisfies Record<IpVersion, { ephemeral: keyof InstanceValues; pool: keyof InstanceValues }>

/** The IP versions of the primary interface, by whose addresses external ones reach the instance. */
export function primaryVersions({
  networkType,
  ipStack,
  interfaces,
}: Pick<InstanceValues, 'networkType' | 'ipStack' | 'interfaces'>): readonly IpVersion[] {
  if (networkType === 'none') return []
  return versionsIn(networkType === 'default' ? ipStack : (interfaces[0]?.ipStack ?? 'dual_stack'))
}

/** The ephemeral addresses that are asked for and that the primary interface can have. */
export const ephemeralIps = (
  values: EphemeralFieldValues & Parameters<typeof primaryVersions>[0],
): { version: IpVersion; pool: string }[] =>
  primaryVersions(values).flatMap((version) => {
    const { ephemeral, pool } = ephemeralFields[version]
    return values[ephemeral] ? [{ version, pool: values[pool] }] : []
  })

export type EphemeralFieldValues = Pick<InstanceValues, 'ephemeral' | 'pool' | 'ephemeralIpv6' | 'poolIpv6'>

/**
 * The fields for ephemeral addresses like those of another instance, of these pools. A pool may have left the silo since;
 * the form's default then remains.
 */
export function ephemeralValues(
  kept: readonly ((Pick<IpPool, 'name'> & Partial<IpPool>) | undefined)[],
  pools: readonly unknown[] | null,
): { [Field in keyof EphemeralFieldValues]: EphemeralFieldValues[Field] | undefined } {
  const isOffered = pools?.length !== 0
  const ipv6 = kept.find((pool) => pool?.ipVersion === 'v6')
  const ipv4 = kept.find((pool) => pool !== ipv6)
  const isOfIpv4 = kept.length > (ipv6 ? 1 : 0)
  return {
    ephemeral: isOfIpv4 && isOffered,
    pool: ipv4?.name,
    ephemeralIpv6: ipv6 !== undefined,
    poolIpv6: ipv6?.name,
  }
}

export const presetKey = ([ncpus, memory]: readonly [number, number]): string => `${ncpus}/${memory}`
export const firstPreset = (tab: PresetTab): string => presetKey(hardwarePresets[tab][0])

interface Offered {
  siloImages: readonly Pick<Image, 'size'>[]
  projectImages: readonly Pick<Image, 'size'>[]
  sshKeys: readonly Pick<SshKey, 'id'>[]
  pools: readonly (Pick<IpPool, 'name' | 'isDefault'> & Partial<IpPool>)[] | null
}

export function initialValues({ siloImages, projectImages, sshKeys, pools }: Offered): InstanceValues {
  const image = siloImages[0] ?? projectImages[0]
  return {
    name: '',
    count: 1,
    first: 1,
    description: '',
    start: true,
    hardwareTab: 'General Purpose',
    preset: firstPreset('General Purpose'),
    ncpus: 2,
    memory: 8,
    bootSource: siloImages.length > 0 ? 'silo' : projectImages.length > 0 ? 'project' : 'disk',
    siloImage: '',
    projectImage: '',
    bootDisk: '',
    installer: '',
    drivers: '',
    installerFirmware: '',
    chosenHardware: undefined,
    bootCopy: undefined,
    bootTemplate: undefined,
    bootDiskSize: image ? suggestedGib(image.size) : defaultGib,
    bootDiskName: '',
    disks: [],
    sshKeys: sshKeys.map(({ id }) => id),
    antiAffinityGroups: [],
    networkType: 'default',
    ipStack: 'dual_stack',
    interfaces: [],
    hostname: '',
    ephemeral: pools === null || addressPools(pools, ['v4']).length > 0,
    pool: defaultPool(addressPools(pools ?? [], ['v4'])),
    ephemeralIpv6: false,
    poolIpv6: defaultPool(addressPools(pools ?? [], ['v6'])),
    floatingIps: [],
    autoRestartPolicy: 'default',
    cpuPlatform: '',
    userDataFrom: 'none',
    userDataText: '',
    userData: undefined,
  }
}

/** How many instances are created; one while the field has no possible number, which it reports. */
export const countOf = ({ count }: Pick<InstanceValues, 'count'>): number =>
  count !== null && Number.isInteger(count) && count >= 1 && count <= batchLimits.instances ? count : 1

/** The requested hardware: the preset, or the custom values while their tab is visible. */
export function hardwareOf({ hardwareTab, preset, ncpus, memory }: InstanceValues): {
  ncpus: number
  memoryGib: number
} {
  if (hardwareTab === 'Custom') return { ncpus: ncpus ?? 0, memoryGib: memory ?? 0 }
  const [cpus = 0, gib = 0] = preset.split('/').map(Number)
  return { ncpus: cpus, memoryGib: gib }
}

/** The boot disk's source image; empty for another source. */
export function bootImageOf({ bootSource, siloImage, projectImage }: InstanceValues): string {
  switch (bootSource) {
    case 'silo':
      return siloImage
    case 'project':
      return projectImage
    case 'installer':
    case 'disk':
    case 'copy':
    case 'template':
      return ''
    default:
      return bootSource satisfies never
  }
}

/** The disks to copy, the boot disk first. */
export function copiedDisks({
  bootSource,
  bootCopy,
  disks,
}: Pick<InstanceValues, 'bootSource' | 'bootCopy' | 'disks'>): CopiedDisk[] {
  const boot = bootSource === 'copy' && bootCopy ? [bootCopy] : []
  return [...boot, ...disks.flatMap((disk) => (disk.type === 'copy' ? [disk.of] : []))]
}
