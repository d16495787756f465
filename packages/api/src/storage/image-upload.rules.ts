import { exactBytes, GiB, MiB } from '../base/bytes.rules.ts'
import { diskMaxSize, type SizeProblem, wholeBlocksProblem } from './disk.rules.ts'
import type { ImageFormat } from './image-format.rules.ts'

/**
 * `open` accepts bytes, `fetching` gets them from a URL, `copying` from a disk, `converting` makes a raw image of them, `completing` creates the image of raw ones, `done`
 * has created it, `expired` was idle for too long.
 */
export const imageUploadStates = [
  'open',
  'fetching',
  'copying',
  'converting',
  'completing',
  'done',
  'failed',
  'expired',
] as const
export type ImageUploadState = (typeof imageUploadStates)[number]

/** What is made of the file. */
export const imageUploadPurposes = ['image', 'instance'] as const
export type ImageUploadPurpose = (typeof imageUploadPurposes)[number]

export const imageUploadAllows = {
  write: ['open'],
  complete: ['open', 'fetching', 'converting', 'completing', 'done'],
  delete: ['open', 'fetching', 'copying', 'converting', 'done', 'failed', 'expired'],
} as const

/** Maximum bytes of one request, and the recommended number. */
export const imageUploadMaxPiece = 8 * MiB
export const imageUploadPiece = 4 * MiB
/** Maximum number of zero ranges in one request. */
export const imageUploadMaxZeros = 1000
/** Hours without new bytes after which an upload expires, and after which a finished one is deleted. */
export const imageUploadIdleHours = 24

export interface ByteRange {
  offset: number
  length: number
}

/**
 * Storage charged for an upload until it is done: that of a disk large enough for its bytes. While it is converted, as
 * much again is charged for the raw image.
 */
export const imageUploadCharge = (size: number): number => Math.ceil(size / GiB) * GiB

/** A raw image consists of whole blocks; a file of another format may end anywhere. */
export function imageUploadSizeProblem(
  size: number,
  blockSize: number,
  format: ImageFormat = 'raw',
): SizeProblem | undefined {
  const partly = format === 'raw' ? wholeBlocksProblem(size, blockSize) : undefined
  if (partly) return partly
  if (size === 0) return { label: 'size', reason: 'total size must be at least one block' }
  if (size > diskMaxSize)
    return { label: 'size', reason: `total size must be at most ${exactBytes(diskMaxSize)}` }
  return undefined
}

/** Why a range is not valid for an upload. */
export function imageUploadRangeProblem(
  { offset, length }: ByteRange,
  upload: { size: number; block_size: number },
): string | undefined {
  if (offset % upload.block_size !== 0)
    return `offset ${offset} is not a multiple of block size ${upload.block_size}`
  if (length === 0) return 'the range is empty'
  if (length % upload.block_size !== 0 && offset + length !== upload.size)
    return `length ${length} is not a multiple of block size ${upload.block_size}`
  if (offset + length > upload.size) return `the range ends beyond the size ${upload.size}`
  return undefined
}

/** The same bytes in as few ranges as possible, in order. */
export function mergeRanges(ranges: readonly ByteRange[]): ByteRange[] {
  const merged: ByteRange[] = []
  for (const { offset, length } of ranges.toSorted((a, b) => a.offset - b.offset)) {
    const last = merged.at(-1)
    if (last && offset <= last.offset + last.length)
      last.length = Math.max(last.length, offset + length - last.offset)
    else merged.push({ offset, length })
  }
  return merged
}

/** The complement of merged ranges: the bytes still to be sent. */
export function missingRanges(merged: readonly ByteRange[], size: number): ByteRange[] {
  const missing: ByteRange[] = []
  let at = 0
  for (const { offset, length } of merged) {
    if (offset > at) missing.push({ offset: at, length: offset - at })
    at = offset + length
  }
  if (at < size) missing.push({ offset: at, length: size - at })
  return missing
}
