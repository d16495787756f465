import type { BlockSize } from '@gantry/api/disk.rules'
import type { ImageFormat } from '@gantry/api/image-format.rules'

/** The metadata of an uploaded image. */
export interface ImageDetails {
  name: string
  description: string
  os: string
  version: string
  blockSize: BlockSize
  /** What the file is declared as; all but raw ones are converted. */
  format: ImageFormat
}
