import type { BlockSize } from '../../disks/disk-body.ts'

/** What is said of an image that is uploaded. */
export interface ImageDetails {
  name: string
  description: string
  os: string
  version: string
  blockSize: BlockSize
}
