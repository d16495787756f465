import type { BlockSize } from '@gantry/api/disk.rules'

/** The metadata of an uploaded image. */
export interface ImageDetails {
  name: string
  description: string
  os: string
  version: string
  blockSize: BlockSize
}
