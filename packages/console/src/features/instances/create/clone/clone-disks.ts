import { GiB } from '@gantry/api/base/bytes.rules'
import { blockSizes } from '@gantry/api/storage/disk.rules'
import { type BackendSource, backendOf } from '#/data/disk-backend.ts'
import type { Disk } from '#/features/disks/queries.ts'
import { whyNotCopy } from '#/features/disks/why-not-copy.ts'
import type { CopiedDisk, InstanceValues, QueuedDisk, ValuesOrDefault } from '../values.ts'
import { copyName, type Offered } from './offered.ts'
import type { CloneSource } from './source.ts'

export type DiskChoice = Pick<InstanceValues, 'disks'> & Partial<Pick<InstanceValues, 'bootSource'>>

export interface ClonedDisks {
  /** Values shared by both choices. */
  values: ValuesOrDefault<'siloImage' | 'projectImage' | 'bootCopy' | 'bootDiskSize'>
  /** Copies every disk that can be copied. */
  copy: DiskChoice
  /** New disks of the same size from the same source. */
  fresh: DiskChoice
  copyable: CopiedDisk[]
  /** By disk id: what is missing unless the disk's data is copied. */
  missing: ReadonlyMap<string, string>
  /** Explains why there is no boot disk to clone. */
  notCopied: string[]
}

/** The disks of a clone, with and without the original's data. */
export function cloneDisks(source: CloneSource, offered: Offered): ClonedDisks {
  const missing = new Map<string, string>()
  const boot = source.disks.find(({ id }) => id === source.instance.bootDiskId)
  const bootCopy = boot && isCopyable(boot) ? copied(boot) : undefined
  const freshBoot = boot && bootImage(boot, offered, missing)
  const others = source.disks.filter((disk) => disk !== boot)
  const taken = new Set(offered.disks.map(({ name }) => name))
  const queued = others.map((disk) => {
    const fresh = freshDisk(disk, source, offered, taken, missing)
    return { fresh, copy: isCopyable(disk) ? copyOf(disk, fresh) : fresh }
  })
  const { bootSource, siloImage, projectImage } = freshBoot ?? {}
  return {
    values: { siloImage, projectImage, bootCopy, bootDiskSize: boot && gibOf(boot.size) },
    copy: { ...bootFrom(bootCopy ? 'copy' : bootSource), disks: queued.map(({ copy }) => copy) },
    fresh: { ...bootFrom(bootSource), disks: queued.map(({ fresh }) => fresh) },
    copyable: source.disks.filter(isCopyable).map(copied),
    missing,
    notCopied: boot ? [] : ['Boot disk: none is set. Choose one for the new instance.'],
  }
}

/** A read-only disk holds what its source holds, from which the clone's is made again. */
const isCopyable = (disk: Disk): boolean => whyNotCopy(disk) === undefined
const copied = ({ id, name, size }: Disk): CopiedDisk => ({ id, name, size })
const bootFrom = (bootSource: InstanceValues['bootSource'] | undefined) => (bootSource ? { bootSource } : {})
const gibOf = (bytes: number): number => Math.ceil(bytes / GiB)
const has = (some: readonly { id: string }[], id: string): boolean => some.some((each) => each.id === id)

type Boot = Partial<Pick<InstanceValues, 'bootSource' | 'siloImage' | 'projectImage'>>

function bootImage(disk: Disk, { siloImages, projectImages }: Offered, missing: Map<string, string>): Boot {
  const imageId = disk.imageId ?? ''
  missing.set(
    disk.id,
    disk.readOnly
      ? `Boot disk ${disk.name} is read-only. The new one can be written.`
      : withState(`Data of boot disk ${disk.name}`, disk),
  )
  if (has(siloImages, imageId)) return { bootSource: 'silo', siloImage: imageId }
  if (has(projectImages, imageId)) return { bootSource: 'project', projectImage: imageId }
  const why = imageId ? 'its image no longer exists' : 'it was not created from an image'
  missing.set(disk.id, withState(`Boot disk ${disk.name}: ${why}. Choose an image or another disk`, disk))
  return {}
}

type Fresh = Extract<QueuedDisk, { type: 'create' }>

/** Adds the new disk's name to `taken`, and what it lacks to `missing`. */
function freshDisk(
  disk: Disk,
  source: CloneSource,
  offered: Offered,
  taken: Set<string>,
  missing: Map<string, string>,
): Fresh {
  const name = copyName(disk.name, taken)
  taken.add(name)
  const diskSource = diskSourceOf(disk, source, offered)
  const isSourceGone = (disk.imageId ?? disk.snapshotId) && diskSource.type === 'blank'
  const reason = isSourceGone ? ': its source no longer exists, so the new disk is blank' : ''
  if (!disk.readOnly || isSourceGone)
    missing.set(disk.id, withState(`Data of disk ${disk.name}${reason}`, disk))
  return {
    type: 'create',
    body: {
      name,
      description: disk.description,
      size: gibOf(disk.size) * GiB,
      diskBackend: backendOf(diskSource),
    },
  }
}

const copyOf = (disk: Disk, { body: { name, description, size } }: Fresh): QueuedDisk => ({
  type: 'copy',
  of: copied(disk),
  body: { name, description, size },
})

/** The missing part, followed by the reason if the disk cannot be copied now. */
const withState = (text: string, disk: Disk): string =>
  isCopyable(disk) ? `${text}.` : `${text}. A disk that is ${kindOrState(disk)} cannot be copied.`

const kindOrState = (disk: Disk): string => {
  if (disk.readOnly) return 'read-only'
  return disk.diskType === 'local' ? 'local' : disk.state.state
}

function diskSourceOf(
  { imageId, snapshotId, blockSize, readOnly, diskType }: Disk,
  { snapshots }: CloneSource,
  { siloImages, projectImages }: Offered,
): BackendSource {
  if (diskType === 'local') return { type: diskType }
  const access = readOnly ? { readOnly } : {}
  if (imageId && (has(siloImages, imageId) || has(projectImages, imageId)))
    return { type: 'image', imageId, ...access }
  const snapshot = snapshots.find(({ id }) => id === snapshotId)
  if (snapshot?.state === 'ready') return { type: 'snapshot', snapshotId: snapshot.id, ...access }
  return { type: 'blank', blockSize: blockSizes.find((size) => size === blockSize) ?? 512 }
}
