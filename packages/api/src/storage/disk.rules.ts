import { exactBytes, GiB, KiB } from '../base/bytes.rules.ts'

/** States without details; the others name the instance. */
export const looseDiskStates = [
  'creating',
  'detached',
  'import_ready',
  'importing_from_url',
  'importing_from_bulk_writes',
  'finalizing',
  'maintenance',
  'destroyed',
  'faulted',
] as const
export const heldDiskStates = ['attaching', 'attached', 'detaching'] as const
export const diskStates = [...looseDiskStates, ...heldDiskStates] as const

/** States in which each action is accepted: the server refuses by it, the console disables by it. */
export const diskAllows = {
  delete: ['detached', 'faulted'],
  snapshot: ['attached', 'detached'],
  grow: ['attached', 'detached'],
  attach: ['creating', 'detached'], // creating: one call can make an instance together with its disk
  detach: ['attached'],
  setAsBootDisk: ['attached'],
  bulkWriteStart: ['import_ready'],
  bulkWrite: ['importing_from_bulk_writes'],
  bulkWriteStop: ['importing_from_bulk_writes'],
  finalize: ['import_ready'],
} as const

/** What a read-only disk cannot do, and why. Its bytes and its size are those of its source. */
export const readOnlyCannot = {
  snapshot: 'A read-only disk holds what its source holds: use the source instead',
  grow: 'A read-only disk has the size of its source',
} as const

/** Where the bytes of a disk are: spread over the sleds, or on the sled that its instance runs on. */
export const diskTypes = ['distributed', 'local'] as const
export type DiskTypeName = (typeof diskTypes)[number]

/** What a local disk cannot do, and why. */
export const localCannot = {
  snapshot: 'A local disk lives on one sled and is not copied: keep what must last on a distributed disk',
  grow: 'A local disk has a fixed part of a physical disk',
} as const

/** Why a disk can never do this, whatever its state. */
export const whyNever = (
  action: 'snapshot' | 'grow',
  { read_only, disk_type }: { read_only: boolean; disk_type: DiskTypeName },
): string | undefined => {
  if (read_only) return readOnlyCannot[action]
  return disk_type === 'local' ? localCannot[action] : undefined
}

/** The problem with the size of a new disk that only shows what an image or a snapshot holds. */
export const readOnlySizeProblem = (size: number, source: string, sourceSize: number): string | undefined =>
  size === sourceSize
    ? undefined
    : `read-only disk size ${size} must be equal to ${source} size ${sourceSize}`

export const blockSizes = [512, 2048, 4096] as const
export type BlockSize = (typeof blockSizes)[number]
export const diskMinSize = 1 * GiB
export const diskMaxSize = 1023 * GiB
/** Of local disks, which have no other size of block. */
export const localBlockSize = 4096
/** What a local disk takes of a physical disk for each byte of its own, its records included. */
const localOverhead = 1.07
export const bytesOnPhysicalDisk = (size: number): number => Math.ceil(size * localOverhead)

export interface SizeProblem {
  label: string
  reason: string
}

/** Disks and images consist of whole blocks. */
export const wholeBlocksProblem = (size: number, blockSize: number): SizeProblem | undefined =>
  size % blockSize === 0
    ? undefined
    : { label: 'size and block_size', reason: `total size must be a multiple of block size ${blockSize}` }

/** The problem with the size of a new disk, in the API's words and order. */
export function diskSizeProblem(size: number, blockSize: number): SizeProblem | undefined {
  const problem = wholeBlocksProblem(size, blockSize) ?? wholeGibProblem(size)
  if (problem) return problem
  if (size > diskMaxSize) return { label: 'size', reason: 'total size must be less than 1023 GiB' }
  return undefined
}

function wholeGibProblem(size: number): SizeProblem | undefined {
  if (size < diskMinSize) return { label: 'size', reason: 'total size must be at least 1 GiB' }
  if (size % GiB !== 0) return { label: 'size', reason: 'total size must be a multiple of 1 GiB' }
  return undefined
}

/** The problem with the size of a new local disk, given the bytes of the largest physical disk. */
export function localDiskSizeProblem(size: number, largest: number): SizeProblem | undefined {
  const problem = wholeGibProblem(size)
  if (problem) return problem
  return bytesOnPhysicalDisk(size) > largest
    ? { label: 'size', reason: 'total size must fit on one physical disk' }
    : undefined
}

/** The problem with the size that a disk is to grow to. */
export const growthProblem = (
  size: number,
  disk: { size: number; block_size: number },
): SizeProblem | undefined =>
  size <= disk.size
    ? { label: 'size', reason: `a disk only grows, and has ${exactBytes(disk.size)} already` }
    : diskSizeProblem(size, disk.block_size)

/** Maximum bytes of one bulk write. */
export const bulkWriteMaxBytes = 512 * KiB

/**
 * Why bytes cannot be written at an offset of a disk, in the API's words (control plane reference, B 6.5).
 */
export function bulkWriteProblem(
  offset: number,
  length: number,
  disk: { size: number; block_size: number },
): string | undefined {
  if (offset % disk.block_size !== 0) return 'offset not multiple of block size!'
  if (length % disk.block_size !== 0) return 'data length not multiple of block size!'
  if (offset + length > disk.size) return 'offset + data length off end of region!'
  if (length > bulkWriteMaxBytes)
    return `data length ${length} is more than the ${exactBytes(bulkWriteMaxBytes)} of one write!`
  return undefined
}
