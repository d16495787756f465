import { affinityLimits } from '@gantry/api/compute/affinity.rules'
import { hostnameProblem, instanceLimits } from '@gantry/api/compute/instance.rules'
import type { Disk } from '#/features/disks/queries.ts'
import { attachable } from '#/features/disks/rules.ts'
import { type InstanceValues, queuedName } from './values.ts'

const inUse = 'Name is already in use'

/** Refuses a boot disk name that another disk of the project has, or will have with this instance. */
export const bootDiskNameProblem = (
  name: string,
  disks: readonly Pick<Disk, 'name'>[],
  queued: InstanceValues['disks'],
): string | undefined =>
  disks.some((disk) => disk.name === name) || queued.some((disk) => queuedName(disk) === name)
    ? inUse
    : undefined

/** Names that another new disk cannot have. The boot disk's counts only while a boot disk is created. */
export const takenDiskNames = (
  { bootSource, bootDiskName, disks: queued }: Pick<InstanceValues, 'bootSource' | 'bootDiskName' | 'disks'>,
  disks: readonly Pick<Disk, 'name'>[],
): string[] => [
  ...disks.map(({ name }) => name),
  ...queued.map(queuedName),
  ...(bootSource === 'disk' ? [] : [bootDiskName]),
]

export function userDataProblem(file: Pick<File, 'size'> | undefined): string | undefined {
  return file && file.size > instanceLimits.userData ? 'Must be at most 32 KiB' : undefined
}

/** If empty, the instance's name is used, which is always valid. */
export const optionalHostnameProblem = (hostname: string): string | undefined =>
  hostname === '' ? undefined : hostnameProblem(hostname)

export const sshKeysProblem = (keys: readonly string[]): string | undefined =>
  keys.length > instanceLimits.sshKeys ? `At most ${instanceLimits.sshKeys} keys can be used` : undefined

export const interfacesProblem = (interfaces: readonly unknown[]): string | undefined =>
  interfaces.length === 0 ? 'Add at least one network interface, or choose None' : undefined

/** Includes the boot disk. */
export const whyNoMoreDisks = (queued: readonly unknown[]): string | undefined =>
  queued.length + 1 >= instanceLimits.disks
    ? `An instance has at most ${instanceLimits.disks} disks, its boot disk included`
    : undefined

export const groupsProblem = (groups: readonly unknown[]): string | undefined =>
  groups.length > affinityLimits.groupsPerInstance
    ? `An instance can be in at most ${affinityLimits.groupsPerInstance} groups`
    : undefined

/** Disks that can be the boot disk. */
export const bootableDisks = <D extends Pick<Disk, 'name' | 'state'>>(
  disks: readonly D[],
  queued: InstanceValues['disks'],
): D[] => attachable(disks, queued.map(queuedName))

/** The missing part of the selected boot source. */
export function bootSourceProblem(
  { bootSource }: Pick<InstanceValues, 'bootSource'>,
  counts: Record<InstanceValues['bootSource'], number>,
): string | undefined {
  if (counts[bootSource] > 0) return undefined
  if (bootSource === 'installer') return 'An image that is a CD required'
  return bootSource === 'disk' ? 'Disk required' : 'Image required'
}
