import type { BlockSize } from '@gantry/api/disk.rules'

/** What is said of an image that is uploaded. */
export interface ImageDetails {
  name: string
  description: string
  os: string
  version: string
  blockSize: BlockSize
}
