import { GiB } from '@gantry/api/bytes.rules'
import { blockSizes } from '@gantry/api/disk.rules'
import { hardwarePresets } from '@gantry/api/instance.rules'
import { nameMaxLength } from '@gantry/api/name.rules'
import type { Disk } from '../../disks/queries.ts'
import type { Image } from '../../images/queries.ts'
import type { IpPool } from '../../networking/queries.ts'
import type { SshKey } from '../../ssh-keys/queries.ts'
import { type InstanceValues, presetKey, presetTabs, type QueuedDisk } from '../create/values.ts'
import type { CloneSource } from './source.ts'

/** What there is to choose from, for which the form has read it anyway. */
export interface Offered {
  siloImages: readonly Pick<Image, 'id'>[]
  projectImages: readonly Pick<Image, 'id'>[]
  sshKeys: readonly Pick<SshKey, 'id'>[]
  pools: readonly Pick<IpPool, 'id' | 'name'>[]
  disks: readonly Pick<Disk, 'name'>[]
}

export interface Clone {
  /** What takes the place of the form's own beginning. */
  values: Partial<InstanceValues>
  /** What could not be taken over and why, in whole sentences. */
  left: string[]
}

/** The form's values for one more instance like another. */
export function cloneOf(source: CloneSource, offered: Offered): Clone {
  const left: string[] = []
  const { instance } = source
  const values = {
    name: copyName(instance.name),
    description: instance.description,
    ...hardware(instance),
    ...bootDisk(source, offered, left),
    disks: otherDisks(source, offered, left),
    ...interfaces(source, left),
    ...externalIps(source, offered, left),
    sshKeys: sshKeys(source, offered, left),
    antiAffinityGroups: source.antiAffinityGroups.map(({ id }) => id),
    autoRestartPolicy: instance.autoRestartPolicy ?? 'default',
  } satisfies Partial<InstanceValues>
  if (instance.hostname !== instance.name)
    left.push(
      `Hostname ${instance.hostname}: a hostname belongs to one instance, so the new name is used instead.`,
    )
  for (const { name } of source.affinityGroups)
    left.push(`Affinity group ${name}: add the instance after you create it.`)
  left.push('User data: it cannot be read back. Choose the file again if needed.')
  return { values, left }
}

const ending = '-copy'

/** The name with `-copy` behind it, cut to fit; numbered where that is taken. */
export function copyName(name: string, taken: ReadonlySet<string> = new Set()): string {
  for (let count = 1; ; count++) {
    const end = count === 1 ? ending : `${ending}-${count}`
    const copy = `${name.slice(0, nameMaxLength - end.length).replace(/-+$/, '')}${end}`
    if (!taken.has(copy)) return copy
  }
}

function hardware({ ncpus, memory }: CloneSource['instance']) {
  const gib = memory / GiB
  const custom = { ncpus, memory: gib }
  const key = presetKey([ncpus, gib])
  const tab = presetTabs.find((each) => hardwarePresets[each].some((preset) => presetKey(preset) === key))
  return tab ? { ...custom, hardwareTab: tab, preset: key } : { ...custom, hardwareTab: 'Custom' as const }
}

const has = (some: readonly { id: string }[], id: string | null | undefined): boolean =>
  some.some((each) => each.id === id)

const gibOf = (bytes: number): number => Math.ceil(bytes / GiB)

function bootDisk(
  { instance, disks }: CloneSource,
  { siloImages, projectImages }: Offered,
  left: string[],
): Partial<InstanceValues> {
  const disk = disks.find(({ id }) => id === instance.bootDiskId)
  if (!disk) {
    left.push('Boot disk: none is set. Choose one for the new instance.')
    return {}
  }
  const imageId = disk.imageId ?? ''
  const bootDiskSize = gibOf(disk.size)
  if (has(siloImages, imageId)) return { bootSource: 'silo', siloImage: imageId, bootDiskSize }
  if (has(projectImages, imageId)) return { bootSource: 'project', projectImage: imageId, bootDiskSize }
  left.push(
    imageId
      ? `Boot disk ${disk.name}: its image no longer exists. Choose another image or a boot disk.`
      : `Boot disk ${disk.name}: it was not created from an image. To boot from a copy, snapshot it, create a disk from the snapshot, and choose that disk under Existing disks.`,
  )
  return { bootDiskSize }
}

/** New disks of the same size, made from the same: what was written to the old ones since is not on them. */
function otherDisks(source: CloneSource, offered: Offered, left: string[]): QueuedDisk[] {
  const taken = new Set(offered.disks.map(({ name }) => name))
  const others = source.disks.filter(({ id }) => id !== source.instance.bootDiskId)
  if (others.length > 0) left.push('Data on additional disks: new disks copy only their size and source.')
  return others.map((disk) => {
    const name = copyName(disk.name, taken)
    taken.add(name)
    const diskSource = diskSourceOf(disk, source, offered)
    const wasMade = disk.imageId ?? disk.snapshotId
    if (wasMade && diskSource.type === 'blank')
      left.push(`Disk ${disk.name}: its source no longer exists, so the new disk is blank.`)
    return {
      type: 'create',
      body: { name, description: disk.description, size: gibOf(disk.size) * GiB, diskSource },
    }
  })
}

type DiskSource = Extract<QueuedDisk, { type: 'create' }>['body']['diskSource']

function diskSourceOf(
  { imageId, snapshotId, blockSize }: Disk,
  { snapshots }: CloneSource,
  { siloImages, projectImages }: Offered,
): DiskSource {
  if (imageId && (has(siloImages, imageId) || has(projectImages, imageId))) return { type: 'image', imageId }
  const snapshot = snapshots.find(({ id }) => id === snapshotId)
  if (snapshot?.state === 'ready') return { type: 'snapshot', snapshotId: snapshot.id }
  return { type: 'blank', blockSize: blockSizes.find((size) => size === blockSize) ?? 512 }
}

function interfaces(
  { interfaces: all, vpcs, subnets }: CloneSource,
  left: string[],
): Pick<InstanceValues, 'networkType' | 'interfaces'> {
  if (all.length === 0) return { networkType: 'none', interfaces: [] }
  const copies = [...all]
    // The first of those that are made becomes the primary one.
    .sort((one, other) => Number(other.primary) - Number(one.primary))
    .flatMap(({ name, description, vpcId, subnetId, transitIps }) => {
      const vpc = vpcs.find(({ id }) => id === vpcId)
      const subnet = subnets.find(({ id }) => id === subnetId)
      if (!vpc || !subnet) {
        left.push(`Network interface ${name}: you cannot view its VPC or subnet.`)
        return []
      }
      if (transitIps && transitIps.length > 0)
        left.push(`Transit IPs of network interface ${name}: set them after you create the instance.`)
      return [{ name, description, vpc: vpc.name, subnet: subnet.name, ip: '' }]
    })
  left.push('Private addresses: the new instance gets free addresses from the same subnets.')
  const [only] = copies
  if (all.length === 1 && only?.name === 'net0' && only.vpc === 'default' && only.subnet === 'default')
    return { networkType: 'default', interfaces: [] }
  return { networkType: 'custom', interfaces: copies }
}

function externalIps(
  { externalIps: all }: CloneSource,
  { pools }: Offered,
  left: string[],
): Partial<InstanceValues> {
  for (const each of all)
    if (each.kind === 'floating')
      left.push(
        `Floating IP ${each.name}: it stays with the original instance. Attach another under Networking.`,
      )
  const ephemeral = all.find(({ kind }) => kind === 'ephemeral')
  if (!ephemeral) return { ephemeral: false }
  const pool = pools.find(({ id }) => id === ephemeral.ipPoolId)
  // The pool can have been taken from the silo since; then the form's own choice stands.
  return { ephemeral: pools.length > 0, ...(pool && { pool: pool.name }) }
}

function sshKeys({ sshKeys: given }: CloneSource, { sshKeys: own }: Offered, left: string[]): string[] {
  const [mine, others] = [given.filter(({ id }) => has(own, id)), given.filter(({ id }) => !has(own, id))]
  if (others.length > 0)
    left.push(`SSH keys ${others.map(({ name }) => name).join(', ')}: you can add only your own keys.`)
  return mine.map(({ id }) => id)
}
